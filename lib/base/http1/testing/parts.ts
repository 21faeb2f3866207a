/** A connection that is a list of parts, for tests of what is read from it. */
import type { Arrivals, Bytes } from "../arrivals.ts";

/** Text as bytes, a character each. */
export function bytesOf(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Brings one part after the other, in one buffer: what was handed out before is spoilt then. */
export class Parts implements Arrivals {
  readonly #parts: Bytes[];
  #buffer: Bytes = new Uint8Array();
  #start = 0;

  /** Empty parts are left out: a connection that brings nothing has ended. */
  constructor(parts: readonly Bytes[]) {
    this.#parts = parts.filter(({ length }) => length > 0);
  }

  /** A text in parts of so many bytes. */
  static of(text: string, size = Infinity): Parts {
    const bytes = bytesOf(text);
    const parts = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.slice(at, at + size));
    return new Parts(parts);
  }

  /** The number of bytes that nobody took. */
  get left(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, this.bytes.length);
  }

  get bytes(): Bytes {
    return this.#buffer.subarray(this.#start);
  }

  take(count: number): void {
    if (count > this.bytes.length) throw new RangeError(`${count} bytes were taken of ${this.bytes.length}`);
    this.#start += count;
  }

  more(): Promise<boolean> {
    if (this.bytes.length > 0) throw new Error("The next bytes were asked for before all were taken");
    this.#buffer.fill(0);
    this.#buffer = this.#parts.shift() ?? new Uint8Array();
    this.#start = 0;
    return Promise.resolve(this.#buffer.length > 0);
  }

  async some(most: number): Promise<Bytes | undefined> {
    if (this.bytes.length === 0 && !await this.more()) return undefined;
    const part = this.bytes.subarray(0, most);
    this.take(part.length);
    return part;
  }
}
