/** The file of a container's log as entries. It may be larger than the memory, and what is in it need not be text. */

import { concat, NEWLINE } from "./container_log.ts";

/** One entry: a line, or a part of one. */
export interface LogEntry {
  /** RFC 3339. */
  readonly time: string;
  /** What the container wrote, without the end of the line. */
  readonly text: Uint8Array;
  /** Whether the line ends here. */
  readonly isWhole: boolean;
}

const BLOCK = 64 * 1024;
const BLANK = 32;
const WHOLE = "F".charCodeAt(0);

/** An open log; without entries where there is none. */
export class LogFile implements Disposable {
  readonly #file: Deno.FsFile | undefined;
  /** The beginning of an entry that was not written to its end yet. */
  #rest = new Uint8Array();

  constructor(path: string) {
    try {
      this.#file = Deno.openSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** Leaves out all entries but the last ones, without reading them. To be called before anything is read. */
  skipToLast(count: number): void {
    const file = this.#file;
    if (!file) return;
    let at = file.seekSync(0, Deno.SeekMode.End);
    const buffer = new Uint8Array(BLOCK);
    for (let ends = 0; at > 0;) {
      const from = Math.max(0, at - BLOCK);
      file.seekSync(from, Deno.SeekMode.Start);
      const length = file.readSync(buffer.subarray(0, at - from)) ?? 0;
      for (let index = length - 1; index >= 0; index--) {
        // The last entry has its end, too.
        if (buffer[index] !== NEWLINE || ++ends <= count) continue;
        file.seekSync(from + index + 1, Deno.SeekMode.Start);
        return;
      }
      at = from;
    }
    file.seekSync(0, Deno.SeekMode.Start);
  }

  /** The entries that were written since it was last asked, a block of the file at a time. */
  *newEntries(): Generator<LogEntry[]> {
    const buffer = new Uint8Array(BLOCK);
    for (let read = this.#file?.readSync(buffer); read; read = this.#file?.readSync(buffer)) {
      const bytes = concat(this.#rest, buffer.subarray(0, read));
      const entries: LogEntry[] = [];
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const entry = entryOf(bytes.subarray(start, end));
        if (entry) entries.push(entry);
        start = end + 1;
      }
      this.#rest = bytes.slice(start);
      yield entries;
    }
  }

  [Symbol.dispose](): void {
    this.#file?.close();
  }
}

/** `<time> <stream> <F|P> <text>`; undefined for what was not written whole. */
function entryOf(line: Uint8Array): LogEntry | undefined {
  const afterTime = line.indexOf(BLANK);
  const afterStream = line.indexOf(BLANK, afterTime + 1);
  if (afterTime < 0 || afterStream < 0 || line[afterStream + 2] !== BLANK) return undefined;
  return {
    time: new TextDecoder().decode(line.subarray(0, afterTime)),
    text: line.subarray(afterStream + 3),
    isWhole: line[afterStream + 1] === WHOLE,
  };
}
