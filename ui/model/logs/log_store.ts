/**
 * The lines of a log as bytes: chunks that never move, and four bytes a line for its end. A million lines cost what their
 * text costs; nothing is a string until it is shown.
 */

const CHUNK = 1 << 20;
/** The most bytes that are kept: beyond them the page says so, and offers the download. */
const MOST_BYTES = 1 << 30;

/** One line as it was written, without its end. */
export interface StoredLine {
  /** The number of the source, in the order in which sources were first heard of. */
  readonly source: number;
  /** RFC 3339 with nanoseconds; empty where the server told none. */
  readonly time: string;
  readonly text: string;
}

/** The lines of a log. They only ever grow, so a number once given to a line stays its own. */
export class LogStore {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #ends = new Uint32Array(1024);
  #sources = new Uint16Array(1024);
  #times = new Uint8Array(1024);
  #count = 0;
  #bytes = 0;
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  /** The number of lines. */
  get count(): number {
    return this.#count;
  }

  /** The size of all text. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The names of the sources, by number. */
  get sources(): readonly string[] {
    return this.#names;
  }

  /** Adds a line; false when there is no room left. */
  append(source: string, time: string, text: string): boolean {
    const encoded = this.#encoder.encode(time + text);
    if (this.#bytes + encoded.length > MOST_BYTES) return false;
    this.#write(encoded);
    this.#grow();
    this.#ends[this.#count] = this.#bytes;
    this.#sources[this.#count] = this.#numberOf(source);
    this.#times[this.#count] = time.length;
    this.#count++;
    return true;
  }

  /** A line by its number, from 0. @throws {RangeError} when there is none. */
  line(number: number): StoredLine {
    const bytes = this.#bytesOf(number);
    const time = this.#times[number]!;
    return {
      source: this.#sources[number]!,
      time: this.#decoder.decode(bytes.subarray(0, time)),
      text: this.#decoder.decode(bytes.subarray(time)),
    };
  }

  /** The text of a line without its time. */
  text(number: number): string {
    return this.#decoder.decode(this.#bytesOf(number).subarray(this.#times[number]!));
  }

  /** All text of a source, or of all, as it was written: what a download holds. */
  *contents(source?: number): Generator<Uint8Array<ArrayBuffer>> {
    const end = Uint8Array.of(0x0a);
    for (let number = 0; number < this.#count; number++) {
      if (source !== undefined && this.#sources[number] !== source) continue;
      yield this.#bytesOf(number).slice(this.#times[number]!);
      yield end;
    }
  }

  #bytesOf(number: number): Uint8Array<ArrayBuffer> {
    if (number < 0 || number >= this.#count) throw new RangeError(`No line ${number} among ${this.#count}`);
    const from = number === 0 ? 0 : this.#ends[number - 1]!;
    const to = this.#ends[number]!;
    const [first, last] = [Math.floor(from / CHUNK), Math.floor(Math.max(from, to - 1) / CHUNK)];
    if (first === last) {
      return this.#chunks[first]?.subarray(from - first * CHUNK, to - first * CHUNK) ?? new Uint8Array();
    }
    const whole = new Uint8Array(to - from);
    for (let at = from; at < to;) {
      const chunk = Math.floor(at / CHUNK);
      const part = this.#chunks[chunk]!.subarray(at - chunk * CHUNK, Math.min(CHUNK, to - chunk * CHUNK));
      whole.set(part, at - from);
      at += part.length;
    }
    return whole;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const place = this.#bytes % CHUNK;
      if (place === 0) this.#chunks.push(new Uint8Array(CHUNK));
      const part = bytes.subarray(at, at + CHUNK - place);
      this.#chunks.at(-1)!.set(part, place);
      this.#bytes += part.length;
      at += part.length;
    }
  }

  #grow(): void {
    if (this.#count < this.#ends.length) return;
    const size = this.#ends.length * 2;
    const [ends, sources, times] = [new Uint32Array(size), new Uint16Array(size), new Uint8Array(size)];
    ends.set(this.#ends);
    sources.set(this.#sources);
    times.set(this.#times);
    [this.#ends, this.#sources, this.#times] = [ends, sources, times];
  }

  #numberOf(source: string): number {
    let number = this.#numbers.get(source);
    if (number === undefined) {
      number = this.#names.push(source) - 1;
      this.#numbers.set(source, number);
    }
    return number;
  }
}
