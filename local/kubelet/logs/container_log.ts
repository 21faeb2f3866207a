/**
 * The log of a container, kept as container engines keep it: one line per line, `<time> <stream> <F|P> <text>`, where P
 * is a part of a line too long to wait for. A file that is full makes way for the next, as kubelets have it: `0.log` is
 * the newest, `0.log.1` the one before; the oldest go.
 */

import { statfsSync } from "node:fs";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The byte that ends a line. */
export const NEWLINE = 10;
const LONGEST_LINE = 16 * 1024;

/** Bytes of one file of a log, and how many files are kept of one: a kubelet's own figures. */
export const MAX_LOG_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_LOG_FILES = 5;

/** Bytes of the disk that logs leave to others: below that, what containers write is lost. */
export const LEFT_BY_LOGS_BYTES = 64 * 1024 * 1024;

/** The bytes that are written between two looks at the free space of the disk. */
const LOOK_EVERY_BYTES = 256 * 1024;

/** The files of a log that are there, the newest first. */
export function logFiles(path: string): string[] {
  const all = Array.from({ length: MAX_LOG_FILES }, (_, age) => age === 0 ? path : `${path}.${age}`);
  return all.filter(isThere);
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** In bytes; see {@link MAX_LOG_FILE_BYTES} and {@link LEFT_BY_LOGS_BYTES}. */
export interface LogLimits {
  readonly fileBytes: number;
  readonly leftBytes: number;
}

/** A log that is being written. Where the disk takes no more, lines are lost, and the container goes on. */
export class ContainerLog {
  readonly path: string;
  #file: Deno.FsFile;
  readonly #onLoss: (error: unknown) => void;
  /** The bytes of the file that are whole entries. */
  #length: number;
  readonly #rest = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #hasLost = false;
  readonly #limits: LogLimits;
  #sinceLook = LOOK_EVERY_BYTES;
  #hasRoom = true;

  /** `onLoss` is told of the first lines that could not be written. */
  constructor(path: string, onLoss: (error: unknown) => void = () => {}, limits: Partial<LogLimits> = {}) {
    this.path = path;
    this.#limits = { fileBytes: MAX_LOG_FILE_BYTES, leftBytes: LEFT_BY_LOGS_BYTES, ...limits };
    this.#file = Deno.openSync(path, { create: true, append: true });
    this.#onLoss = onLoss;
    this.#length = this.#file.statSync().size;
  }

  /** Adds what a stream wrote; a line without its end waits for it. */
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    if (this.#ended) return;
    let bytes = joinedBytes([this.#rest[stream], chunk]);
    const time = new Date().toISOString();
    const out: Uint8Array[] = [];
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      out.push(entry(time, stream, "F", bytes.subarray(0, end)));
      bytes = bytes.subarray(end + 1);
    }
    while (bytes.length > LONGEST_LINE) {
      out.push(entry(time, stream, "P", bytes.subarray(0, LONGEST_LINE)));
      bytes = bytes.subarray(LONGEST_LINE);
    }
    this.#rest[stream] = bytes.slice();
    if (out.length > 0) this.#append(out);
  }

  /** Writes what waits for its end, and wakes the readers for the last time. */
  end(): void {
    if (this.#ended) return;
    const time = new Date().toISOString();
    const streams = ["stdout", "stderr"] as const;
    this.#append(
      streams.filter((name) => this.#rest[name].length > 0).map((name) => entry(time, name, "P", this.#rest[name])),
    );
    this.#ended = true;
    this.#file.close();
    this.#wake();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves at the next change; false when the signal was aborted first. */
  changed(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (changed: boolean) => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", abort);
        resolve(changed);
      };
      const wake = () => settle(true);
      const abort = () => settle(false);
      this.#waiting.add(wake);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  #append(entries: readonly Uint8Array[]): void {
    const all = joinedBytes([...entries]);
    try {
      this.#checkRoom(all.length);
      if (this.#length > 0 && this.#length + all.length > this.#limits.fileBytes) this.#rotate();
      for (let written = 0; written < all.length;) written += this.#file.writeSync(all.subarray(written));
      this.#length += all.length;
    } catch (error) {
      // A part of an entry would spoil the entries after it.
      this.#file.truncateSync(this.#length);
      if (!this.#hasLost) this.#onLoss(error);
      this.#hasLost = true;
    }
    this.#wake();
  }

  /** @throws where the disk is so full that the rest is not for logs. */
  #checkRoom(wanted: number): void {
    this.#sinceLook += wanted;
    if (this.#sinceLook >= LOOK_EVERY_BYTES) {
      const { bavail, bsize } = statfsSync(this.path);
      this.#hasRoom = bavail * bsize >= this.#limits.leftBytes;
      this.#sinceLook = this.#hasRoom ? 0 : this.#sinceLook;
    }
    if (!this.#hasRoom) {
      throw new Error(
        `the disk has less than ${this.#limits.leftBytes} bytes left: make room, lines are lost until then`,
      );
    }
  }

  /** Begins a new file, between two entries. A reader of the one that was the newest finds the next by its name. */
  #rotate(): void {
    for (let age = MAX_LOG_FILES - 1; age > 0; age--) {
      const from = age === 1 ? this.path : `${this.path}.${age - 1}`;
      if (isThere(from)) Deno.renameSync(from, `${this.path}.${age}`);
    }
    const next = Deno.openSync(this.path, { create: true, append: true });
    this.#file.close();
    this.#file = next;
    this.#length = 0;
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

function entry(time: string, stream: string, tag: "F" | "P", text: Uint8Array): Uint8Array {
  return joinedBytes([new TextEncoder().encode(`${time} ${stream} ${tag} `), text, Uint8Array.of(NEWLINE)]);
}
