/** A watch request: a stream of changes that ends, fails or falls silent. Going on after that is the informer's. */

import { fieldsOf, isObject } from "../fields_of.ts";
import { KubeError, readStatus } from "./errors.ts";
import { readLines } from "./lines.ts";
import type { KubeObject } from "./object.ts";

/** A change, or a bookmark that only carries a resourceVersion. */
export interface WatchEvent<T = KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

/** A watch without an event for longer than a healthy one is: a loaded API server sends its bookmarks late. */
export class SilentWatchError extends KubeError {
  constructor(millis: number) {
    super(`The watch was silent for ${millis / 1000} s`, { status: 0, reason: "NetworkError" });
  }
}

/**
 * Opens a stream with `open` and yields its events until the server ends it or the signal is aborted: both end the
 * iteration.
 * @throws {KubeError} for a refusal, for an ERROR event (410: the resourceVersion is too old) and when nothing came for
 * `inactivityMs` (a server sends bookmarks about every minute, so a longer silence is a dead connection).
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
    throw new KubeError("The watch broke off", { status: 0, reason: "NetworkError", cause: error });
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
