/**
 * The log of a container in the CRI format: one line per line, `<time> <stream> <F|P> <text>`, where P marks a part of
 * a long line. Files are rotated as in kubelets: `0.log` is the newest, `0.log.1` the previous one, and the oldest are
 * deleted.
 */

import { statfsSync } from "node:fs";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The byte that ends a line. */
export const NEWLINE = 10;
const MAX_LINE_BYTES = 16 * 1024;

/** The maximum size of a log file in bytes, and the maximum number of files: the defaults of kubelets. */
export const MAX_LOG_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_LOG_FILES = 5;

/** The free disk space in bytes that logs must leave. Below it, output of containers is dropped. */
export const LEFT_BY_LOGS_BYTES = 64 * 1024 * 1024;

/** The maximum number of bytes that are written between two checks of the free disk space. */
const LOOK_EVERY_BYTES = 256 * 1024;

/** The existing files of a log, the newest first. */
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

/** A log that is being written. If the disk is full, lines are dropped and the container continues. */
export class ContainerLog {
  readonly path: string;
  #file: Deno.FsFile;
  readonly #onLoss: (error: unknown) => void;
  /** The size of the complete entries in the file, in bytes. */
  #length: number;
  readonly #unfinished = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #hasLost = false;
  readonly #limits: LogLimits;
  #sinceLook = LOOK_EVERY_BYTES;
  #hasRoom = true;

  /** `onLoss` is called with the error when the first lines are dropped. */
  constructor(path: string, onLoss: (error: unknown) => void = () => {}, limits: Partial<LogLimits> = {}) {
    this.path = path;
    this.#limits = { fileBytes: MAX_LOG_FILE_BYTES, leftBytes: LEFT_BY_LOGS_BYTES, ...limits };
    this.#file = Deno.openSync(path, { create: true, append: true });
    this.#onLoss = onLoss;
    this.#length = this.#file.statSync().size;
  }

  /** Adds output of a stream. An incomplete line waits for its end. */
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    if (this.#ended) return;
    const bytes = joinedBytes([this.#unfinished[stream], chunk]);
    const time = new Date().toISOString();
    const lineEnds: number[] = [];
    let lines = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, lines)) {
      lineEnds.push(end);
      lines = end + 1;
    }
    const parts = Math.max(0, Math.ceil((bytes.length - lines) / MAX_LINE_BYTES) - 1);
    const rest = lines + parts * MAX_LINE_BYTES;
    this.#unfinished[stream] = bytes.slice(rest);
    if (rest === 0) return;
    const heads = { F: entryHead(time, stream, "F"), P: entryHead(time, stream, "P") };
    // Filled in one buffer, because a container may write many short lines at once.
    const out = new Uint8Array(rest + lineEnds.length * heads.F.length + parts * (heads.P.length + 1));
    let offset = 0;
    const add = (piece: Uint8Array) => {
      out.set(piece, offset);
      offset += piece.length;
    };
    let from = 0;
    for (const end of lineEnds) {
      add(heads.F);
      add(bytes.subarray(from, end + 1));
      from = end + 1;
    }
    for (; from < rest; from += MAX_LINE_BYTES) {
      add(heads.P);
      add(bytes.subarray(from, from + MAX_LINE_BYTES));
      out[offset++] = NEWLINE;
    }
    this.#append(out);
  }

  /** Writes incomplete lines, and wakes the readers for the last time. */
  end(): void {
    if (this.#ended) return;
    const time = new Date().toISOString();
    const streams = ["stdout", "stderr"] as const;
    const incomplete = streams.filter((name) => this.#unfinished[name].length > 0);
    this.#append(
      joinedBytes(
        incomplete.flatMap((name) => [entryHead(time, name, "P"), this.#unfinished[name], Uint8Array.of(NEWLINE)]),
      ),
    );
    this.#ended = true;
    this.#file.close();
    this.#notifyWaiters();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves at the next change, or to false if the signal is aborted first. */
  waitForChange(signal: AbortSignal): Promise<boolean> {
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

  /** Appends complete entries. */
  #append(all: Uint8Array): void {
    try {
      this.#checkRoom(all.length);
      if (this.#length > 0 && this.#length + all.length > this.#limits.fileBytes) this.#rotate();
      for (let written = 0; written < all.length;) written += this.#file.writeSync(all.subarray(written));
      this.#length += all.length;
    } catch (error) {
      // A partial entry would corrupt the following ones.
      this.#file.truncateSync(this.#length);
      if (!this.#hasLost) this.#onLoss(error);
      this.#hasLost = true;
    }
    this.#notifyWaiters();
  }

  /** @throws if the remaining disk space is below the limit. */
  #checkRoom(bytes: number): void {
    this.#sinceLook += bytes;
    if (this.#sinceLook >= LOOK_EVERY_BYTES) {
      const { bavail, bsize } = statfsSync(this.path);
      this.#hasRoom = bavail * bsize >= this.#limits.leftBytes;
      this.#sinceLook = this.#hasRoom ? 0 : this.#sinceLook;
    }
    if (!this.#hasRoom) {
      throw new Error(
        `the disk has less than ${this.#limits.leftBytes} bytes left: free some space, lines are dropped until then`,
      );
    }
  }

  /** Starts a new file, between two entries. Readers of the previous file find the next one by its name. */
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

  #notifyWaiters(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

function entryHead(time: string, stream: "stdout" | "stderr", tag: "F" | "P"): Uint8Array {
  return new TextEncoder().encode(`${time} ${stream} ${tag} `);
}
