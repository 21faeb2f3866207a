/** The file of a container's log as entries. It may be larger than the memory, and what is in it need not be text. */

import { logFiles, NEWLINE } from "./container_log.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** One entry: a line, or a part of one. */
export interface LogEntry {
  /** RFC 3339. */
  readonly time: string;
  /** The bytes that the container wrote, without the end of the line. */
  readonly text: Uint8Array;
  /** Whether the line ends here. */
  readonly isWhole: boolean;
}

const BLOCK = 64 * 1024;
const BLANK = 32;
const WHOLE = "F".charCodeAt(0);

/** An open log with all its files; without entries where there is none. */
export class LogFile implements Disposable {
  readonly #path: string;
  #file: Deno.FsFile | undefined;
  /** The beginning of an entry that was not written to its end yet. */
  #rest = new Uint8Array();

  constructor(path: string) {
    this.#path = path;
    this.#open(logFiles(path).at(-1));
  }

  /** Leaves out all entries but the last ones, without reading them. To be called before anything is read. */
  skipToLast(count: number): void {
    let missing = count;
    for (const file of logFiles(this.#path)) {
      this.#open(file);
      missing = this.#file === undefined ? missing : skipToLast(this.#file, missing);
      if (missing === 0) return;
    }
  }

  /** The entries that were written since it was last asked, a block of a file at a time. */
  *newEntries(): Generator<LogEntry[]> {
    for (;;) {
      yield* this.#entriesOfFile();
      const next = this.#nextFile();
      if (next === undefined) return;
      // The entries that were written to the file between its end as we saw it and the beginning of the next.
      yield* this.#entriesOfFile();
      this.#open(next);
    }
  }

  *#entriesOfFile(): Generator<LogEntry[]> {
    const buffer = new Uint8Array(BLOCK);
    for (let read = this.#file?.readSync(buffer); read; read = this.#file?.readSync(buffer)) {
      const bytes = joinedBytes([this.#rest, buffer.subarray(0, read)]);
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

  /** The file after the one that is open; the oldest, where that has gone meanwhile. Undefined at the newest. */
  #nextFile(): string | undefined {
    const files = logFiles(this.#path);
    const own = this.#file?.statSync().ino;
    const at = files.findIndex((file) => Deno.statSync(file).ino === own);
    return at < 0 ? files.at(-1) : files[at - 1];
  }

  #open(path: string | undefined): void {
    this.#file?.close();
    this.#file = path === undefined ? undefined : Deno.openSync(path);
    this.#rest = new Uint8Array();
  }

  [Symbol.dispose](): void {
    this.#file?.close();
  }
}

/** Goes to where the last entries of a file begin; answers how many of them it has too few. */
function skipToLast(file: Deno.FsFile, count: number): number {
  let at = file.seekSync(0, Deno.SeekMode.End);
  const buffer = new Uint8Array(BLOCK);
  let ends = 0;
  while (at > 0) {
    const from = Math.max(0, at - BLOCK);
    file.seekSync(from, Deno.SeekMode.Start);
    const length = file.readSync(buffer.subarray(0, at - from)) ?? 0;
    for (let index = length - 1; index >= 0; index--) {
      // The last entry has its end, too.
      if (buffer[index] !== NEWLINE || ++ends <= count) continue;
      file.seekSync(from + index + 1, Deno.SeekMode.Start);
      return 0;
    }
    at = from;
  }
  file.seekSync(0, Deno.SeekMode.Start);
  return count - ends;
}

/** `<time> <stream> <F|P> <text>`; undefined for a line that was not written whole. */
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
