/** A watch request: a stream of changes that ends, fails or becomes silent. The informer resumes it. */

import { fieldsOf, isObject } from "@tiphys/base/fields_of";
import { KubeError, readStatus } from "./errors.ts";
import { readLines } from "./lines.ts";
import type { KubeObject } from "./object.ts";

/** A change, or a bookmark with only a resourceVersion. */
export interface WatchEvent<T = KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** Error for a watch without events for too long. A loaded API server may send its bookmarks late. */
export class SilentWatchError extends KubeError {
  constructor(millis: number) {
    super(`The watch was silent for ${millis / 1000} s`, { status: 0, reason: "NetworkError" });
  }
}

/**
 * Opens a stream with `open` and yields its events. The iteration ends when the server ends the stream or the signal is
 * aborted.
 * @throws {KubeError} for a rejection, for an ERROR event (410: the resourceVersion is too old) and after
 * `inactivityMs` without events (a server sends bookmarks about every minute, so longer silence means a dead
 * connection).
 */
export async function* watchEvents<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>,
  inactivityMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>> {
  const silence = new AbortController();
  const both = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  let timer = setTimeout(() => silence.abort(), inactivityMs);
  try {
    for await (const line of readLines(await open(both))) {
      clearTimeout(timer);
      if (line !== "") yield parseEvent<T>(line);
      if (signal?.aborted) return;
      timer = setTimeout(() => silence.abort(), inactivityMs);
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (silence.signal.aborted) {
      throw new SilentWatchError(inactivityMs);
    }
    if (error instanceof KubeError) throw error;
    throw new KubeError("The watch was interrupted", { status: 0, reason: "NetworkError", cause: error });
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function parseEvent<T>(line: string): WatchEvent<T> {
  const { type, object } = fieldsOf(JSON.parse(line));
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      if (!isObject(object)) {
        throw new SyntaxError(`Expected an object in a watch event, got ${JSON.stringify(object)}`);
      }
      return { type, object: object as T };
    case "ERROR":
      throw KubeError.fromStatus(readStatus(object));
    default:
      throw new SyntaxError(`Expected a watch event, got type ${JSON.stringify(type)}`);
  }
}
