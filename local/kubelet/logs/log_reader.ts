/** Reads a container's log for a log request of the API: the original bytes, one block at a time. */

import { nextTurn } from "@tiphys/base/turns";
import { type ContainerLog, NEWLINE } from "./container_log.ts";
import { type LogEntry, LogFile } from "./log_file.ts";

const BLANK = 32;

/** Milliseconds of reading after which other work of the thread gets a turn. */
const MAX_TURN_MILLIS = 20;

/** The last time with four digits of the year, so that texts of times are in the order of the times. */
const MAX_TIME = Date.UTC(9999, 11, 31);

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
  const since = sinceText(selection);
  let left = limitBytes;
  let turn = performance.now();
  using file = new LogFile(path);
  if (tailLines !== undefined) file.skipToLast(tailLines);
  while (left > 0) {
    const ended = live?.ended ?? true;
    const waiting = !ended && selection.follow ? live!.waitForChange(signal) : undefined;
    for (const entries of file.newEntries()) {
      const wanted = since === undefined ? entries : entries.filter(({ time }) => !precedes(time, since));
      const bytes = serializeEntries(wanted, timestamps).subarray(0, left);
      left -= bytes.length;
      if (performance.now() - turn > MAX_TURN_MILLIS) {
        await nextTurn("logs");
        turn = performance.now();
      }
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

/** Returns the time from which entries are wanted, as in entries. */
function sinceText(selection: LogSelection): Uint8Array | undefined {
  const millis = sinceMillis(selection);
  if (millis === undefined) return undefined;
  return new TextEncoder().encode(new Date(Math.min(MAX_TIME, Math.max(0, millis))).toISOString());
}

/** Whether a text precedes another one in ASCII. */
function precedes(one: Uint8Array, other: Uint8Array): boolean {
  for (let index = 0; index < other.length; index++) {
    if (one[index] !== other[index]) return (one[index] ?? 0) < other[index]!;
  }
  return false;
}

function serializeEntries(entries: readonly LogEntry[], timestamps: boolean): Uint8Array {
  const sizeOf = ({ time, text }: LogEntry) => (timestamps ? time.length + 1 : 0) + text.length + 1;
  const all = new Uint8Array(entries.reduce((sum, entry) => sum + sizeOf(entry), 0));
  let offset = 0;
  for (const { time, text, isWhole } of entries) {
    if (timestamps) {
      all.set(time, offset);
      offset += time.length;
      all[offset++] = BLANK;
    }
    all.set(text, offset);
    offset += text.length;
    if (isWhole) all[offset++] = NEWLINE;
  }
  return all.subarray(0, offset);
}
