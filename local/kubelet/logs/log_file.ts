/** Reads the entries of a container's log. The file may be larger than memory, and its content need not be text. */

import { logFiles, NEWLINE } from "./container_log.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** A line, or a part of one. */
export interface LogEntry {
  /** RFC 3339, in ASCII. */
  readonly time: Uint8Array;
  /** The bytes that the container wrote, without the line feed. */
  readonly text: Uint8Array;
  /** Whether the line ends here. */
  readonly isWhole: boolean;
}

const BLOCK = 64 * 1024;
const BLANK = 32;
const WHOLE = "F".charCodeAt(0);

/** An open log with all its files; empty if there are no files. */
export class LogFile implements Disposable {
  readonly #path: string;
  #file: Deno.FsFile | undefined;
  /** The start of an entry that is not yet complete. */
  #unfinished = new Uint8Array();

  constructor(path: string) {
    this.#path = path;
    this.#open(logFiles(path).at(-1));
  }

  /** Skips all but the last entries without reading them. Must be called before anything is read. */
  skipToLast(count: number): void {
    let missing = count;
    for (const file of logFiles(this.#path)) {
      this.#open(file);
      missing = this.#file === undefined ? missing : skipToLast(this.#file, missing);
      if (missing === 0) return;
    }
  }

  /** Yields the entries that were written since the last call, one block of a file at a time. */
  *newEntries(): Generator<LogEntry[]> {
    for (;;) {
      yield* this.#entriesOfFile();
      const next = this.#nextFile();
      if (next === undefined) return;
      // Entries may have been written to the file after its end was read and before the next file was created.
      yield* this.#entriesOfFile();
      this.#open(next);
    }
  }

  *#entriesOfFile(): Generator<LogEntry[]> {
    const buffer = new Uint8Array(BLOCK);
    for (let read = this.#file?.readSync(buffer); read; read = this.#file?.readSync(buffer)) {
      const bytes = joinedBytes([this.#unfinished, buffer.subarray(0, read)]);
      const entries: LogEntry[] = [];
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const entry = entryOf(bytes.subarray(start, end));
        if (entry) entries.push(entry);
        start = end + 1;
      }
      this.#unfinished = bytes.slice(start);
      yield entries;
    }
  }

  /** The file after the open one; the oldest if the open one has been deleted; undefined at the newest. */
  #nextFile(): string | undefined {
    const files = logFiles(this.#path);
    const own = this.#file?.statSync().ino;
    const index = files.findIndex((file) => Deno.statSync(file).ino === own);
    return index < 0 ? files.at(-1) : files[index - 1];
  }

  #open(path: string | undefined): void {
    this.#file?.close();
    this.#file = path === undefined ? undefined : Deno.openSync(path);
    this.#unfinished = new Uint8Array();
  }

  [Symbol.dispose](): void {
    this.#file?.close();
  }
}

/** Seeks to the last `count` entries of a file. Returns how many are missing in it. */
function skipToLast(file: Deno.FsFile, count: number): number {
  let offset = file.seekSync(0, Deno.SeekMode.End);
  const buffer = new Uint8Array(BLOCK);
  let ends = 0;
  while (offset > 0) {
    const from = Math.max(0, offset - BLOCK);
    file.seekSync(from, Deno.SeekMode.Start);
    const length = file.readSync(buffer.subarray(0, offset - from)) ?? 0;
    for (let index = length - 1; index >= 0; index--) {
      // The last entry also ends with a line feed.
      if (buffer[index] !== NEWLINE || ++ends <= count) continue;
      file.seekSync(from + index + 1, Deno.SeekMode.Start);
      return 0;
    }
    offset = from;
  }
  file.seekSync(0, Deno.SeekMode.Start);
  return count - ends;
}

/** Parses `<time> <stream> <F|P> <text>`; undefined for an incomplete line. */
function entryOf(line: Uint8Array): LogEntry | undefined {
  const afterTime = line.indexOf(BLANK);
  const afterStream = line.indexOf(BLANK, afterTime + 1);
  if (afterTime < 0 || afterStream < 0 || line[afterStream + 2] !== BLANK) return undefined;
  return {
    time: line.subarray(0, afterTime),
    text: line.subarray(afterStream + 3),
    isWhole: line[afterStream + 1] === WHOLE,
  };
}
