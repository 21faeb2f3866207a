/**
 * What a container writes, kept as container engines keep it: one line per line, `<time> <stream> <F|P> <text>`, where P
 * is a part of a line too long to wait for.
 */

/** What ends a line. */
export const NEWLINE = 10;
const LONGEST_LINE = 16 * 1024;

/** A log that is being written. Where the disk takes no more, lines are lost, and the container goes on. */
export class ContainerLog {
  readonly path: string;
  readonly #file: Deno.FsFile;
  readonly #onLoss: (error: unknown) => void;
  /** How much of the file is whole entries. */
  #length: number;
  readonly #rest = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #hasLost = false;

  /** `onLoss` is told of the first lines that could not be written. */
  constructor(path: string, onLoss: (error: unknown) => void = () => {}) {
    this.path = path;
    this.#file = Deno.openSync(path, { create: true, append: true });
    this.#onLoss = onLoss;
    this.#length = this.#file.statSync().size;
  }

  /** Adds what a stream wrote; a line without its end waits for it. */
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void {
    if (this.#ended) return;
    let bytes = concat(this.#rest[stream], chunk);
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
    const all = concat(...entries);
    try {
      for (let written = 0; written < all.length;) written += this.#file.writeSync(all.subarray(written));
      this.#length += all.length;
    } catch (error) {
      // The part of an entry would spoil what follows.
      this.#file.truncateSync(this.#length);
      if (!this.#hasLost) this.#onLoss(error);
      this.#hasLost = true;
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

function entry(time: string, stream: string, tag: "F" | "P", text: Uint8Array): Uint8Array {
  return concat(new TextEncoder().encode(`${time} ${stream} ${tag} `), text, Uint8Array.of(NEWLINE));
}

/** One array of all. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
