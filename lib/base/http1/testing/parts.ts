/** A fake connection that delivers a list of parts. */
import type { Bytes, ByteSource } from "../arrivals.ts";

/** Returns text as bytes, one per character. */
export function bytesOf(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Delivers one part at a time in one buffer, overwriting the previous part. */
export class Parts implements ByteSource {
  readonly #parts: Bytes[];
  #buffer: Bytes = new Uint8Array();
  #start = 0;

  /** Empty parts are omitted, since an empty read means the end of the connection. */
  constructor(parts: readonly Bytes[]) {
    this.#parts = parts.filter(({ length }) => length > 0);
  }

  /** Splits a text into parts of `size` bytes. */
  static of(text: string, size = Infinity): Parts {
    const bytes = bytesOf(text);
    const parts = [];
    for (let offset = 0; offset < bytes.length; offset += size) parts.push(bytes.slice(offset, offset + size));
    return new Parts(parts);
  }

  /** The number of bytes that were not consumed. */
  get left(): number {
    return this.#parts.reduce((sum, { length }) => sum + length, this.bytes.length);
  }

  get bytes(): Bytes {
    return this.#buffer.subarray(this.#start);
  }

  consume(count: number): void {
    if (count > this.bytes.length) throw new RangeError(`${count} bytes were consumed of ${this.bytes.length}`);
    this.#start += count;
  }

  readMore(): Promise<boolean> {
    if (this.bytes.length > 0) throw new Error("more() was called before all bytes were consumed");
    this.#buffer.fill(0);
    this.#buffer = this.#parts.shift() ?? new Uint8Array();
    this.#start = 0;
    return Promise.resolve(this.#buffer.length > 0);
  }

  async some(max: number): Promise<Bytes | undefined> {
    if (this.bytes.length === 0 && !await this.readMore()) return undefined;
    const part = this.bytes.subarray(0, max);
    this.consume(part.length);
    return part;
  }
}
