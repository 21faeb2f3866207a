/** Reads a container's log back, as the API's log request asks for it. */

import type { ContainerLog } from "./container_log.ts";

/** Which part of a log is wanted, and how. */
export interface LogSelection {
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
}

/** One line of a log file. */
interface LogLine {
  readonly time: string;
  /** The container's text; with its newline unless the line was cut there. */
  readonly text: string;
}

/** The log as text. `live` is the log while its container runs: without it the file is all there is. */
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
  const { tailLines, limitBytes = Infinity, timestamps } = selection;
  const since = sinceMillis(selection);
  const written = (line: LogLine) => new TextEncoder().encode(timestamps ? `${line.time} ${line.text}` : line.text);
  let left = limitBytes;
  const reader = new LineReader(path);
  try {
    let first = true;
    while (left > 0) {
      const ended = live?.ended ?? true;
      const waiting = !ended && selection.follow ? live!.changed(signal) : undefined;
      let lines = reader.read().filter(({ time }) => since === undefined || Date.parse(time) >= since);
      if (first && tailLines !== undefined) lines = tailLines === 0 ? [] : lines.slice(-tailLines);
      first = false;
      for (const line of lines) {
        const bytes = written(line).subarray(0, left);
        left -= bytes.length;
        if (bytes.length > 0) yield bytes;
      }
      if (!waiting || !await waiting) return undefined;
    }
  } finally {
    reader.close();
  }
}

function sinceMillis({ sinceSeconds, sinceTime }: LogSelection): number | undefined {
  if (sinceTime !== undefined) return Date.parse(sinceTime);
  return sinceSeconds === undefined ? undefined : Date.now() - sinceSeconds * 1000;
}

/** Reads the lines that were added since it was last asked. */
class LineReader {
  readonly #file: Deno.FsFile | undefined;
  #rest = "";
  readonly #decoder = new TextDecoder();

  constructor(path: string) {
    try {
      this.#file = Deno.openSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  read(): LogLine[] {
    const buffer = new Uint8Array(64 * 1024);
    let text = this.#rest;
    for (let read = this.#file?.readSync(buffer); read; read = this.#file?.readSync(buffer)) {
      text += this.#decoder.decode(buffer.subarray(0, read), { stream: true });
    }
    const lines = text.split("\n");
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => {
      const match = /^(\S+) (?:stdout|stderr) ([FP]) ([^]*)$/.exec(line);
      return match ? [{ time: match[1]!, text: match[2] === "F" ? `${match[3]}\n` : match[3]! }] : [];
    });
  }

  close(): void {
    this.#file?.close();
  }
}
