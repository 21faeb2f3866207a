/** Reads a container's log for a log request of the API: the original bytes, one block at a time. */

import { type ContainerLog, NEWLINE } from "./container_log.ts";
import { type LogEntry, LogFile } from "./log_file.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

const NEWLINE_BYTE = Uint8Array.of(NEWLINE);

/** The part of a log to return, and its format. */
export interface LogSelection {
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
}

/** The bytes of a log. `live` is the log of a running container; without it, the stream ends at the end of the file. */
export function logStream(
  path: string,
  selection: LogSelection,
  live: ContainerLog | undefined,
): ReadableStream<Uint8Array> {
  const stop = new AbortController();
  const chunks = chunksOf(path, selection, live, stop.signal);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      stop.abort();
    },
  });
}

async function* chunksOf(
  path: string,
  selection: LogSelection,
  live: ContainerLog | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  const { tailLines, limitBytes = Infinity, timestamps = false } = selection;
  const since = sinceMillis(selection);
  let left = limitBytes;
  using file = new LogFile(path);
  if (tailLines !== undefined) file.skipToLast(tailLines);
  while (left > 0) {
    const ended = live?.ended ?? true;
    const waiting = !ended && selection.follow ? live!.waitForChange(signal) : undefined;
    for (const entries of file.newEntries()) {
      const wanted = entries.filter(({ time }) => since === undefined || Date.parse(time) >= since);
      const bytes = joinedBytes(wanted.flatMap((entry) => serializeEntry(entry, timestamps))).subarray(0, left);
      left -= bytes.length;
      if (bytes.length > 0) yield bytes;
      if (left <= 0) return undefined;
    }
    if (!waiting || !await waiting) return undefined;
  }
}

function sinceMillis({ sinceSeconds, sinceTime }: LogSelection): number | undefined {
  if (sinceTime !== undefined) return Date.parse(sinceTime);
  return sinceSeconds === undefined ? undefined : Date.now() - sinceSeconds * 1000;
}

function serializeEntry({ time, text, isWhole }: LogEntry, timestamps: boolean): Uint8Array[] {
  return [...(timestamps ? [new TextEncoder().encode(`${time} `)] : []), text, ...(isWhole ? [NEWLINE_BYTE] : [])];
}
