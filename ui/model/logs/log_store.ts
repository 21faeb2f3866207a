/**
 * The lines of a log as bytes: chunks that never move, and four bytes a line for its end. A million lines cost what their
 * text costs; nothing is a string until it is shown.
 */

const CHUNK = 1 << 20;
/** The bit of a line's time by which a line is known whose text is printable ASCII: its bytes are what is shown of it. */
const PLAIN = 0x80;
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

/** A line that holds what is looked for; where it is not sure, its text is to be looked at. */
export interface FoundLine {
  readonly line: number;
  readonly isSure: boolean;
}

function isPlain(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
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
  readonly #latin = new TextDecoder("latin1");

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
    if (this.#bytes + time.length + text.length > MOST_BYTES) return false;
    const before = this.#bytes;
    const areBothPlain = this.#writePlain(time) && this.#writePlain(text);
    if (!areBothPlain) {
      this.#bytes = before;
      const encoded = this.#encoder.encode(time + text);
      if (before + encoded.length > MOST_BYTES) return false;
      this.#write(encoded);
    }
    this.#end(source, areBothPlain ? time.length | PLAIN : time.length);
    return true;
  }

  /** Adds a line by its bytes, which are printable ASCII: its time, and its text. False when there is no room left. */
  appendPlain(source: string, time: Uint8Array, text: Uint8Array): boolean {
    if (this.#bytes + time.length + text.length > MOST_BYTES) return false;
    this.#write(time);
    this.#write(text);
    this.#end(source, time.length | PLAIN);
    return true;
  }

  /** Ends the line whose bytes were written last. */
  #end(source: string, time: number): void {
    this.#grow();
    this.#ends[this.#count] = this.#bytes;
    this.#sources[this.#count] = this.#numberOf(source);
    this.#times[this.#count] = time;
    this.#count++;
  }

  /** A line by its number, from 0. @throws {RangeError} when there is none. */
  line(number: number): StoredLine {
    const bytes = this.#bytesOf(number);
    const time = this.#timeOf(number);
    return {
      source: this.#sources[number]!,
      time: this.#decoder.decode(bytes.subarray(0, time)),
      text: this.#decoder.decode(bytes.subarray(time)),
    };
  }

  /** The text of a line without its time. */
  text(number: number): string {
    return this.#decoder.decode(this.#bytesOf(number).subarray(this.#timeOf(number)));
  }

  /**
   * Lines from a number on that may hold a text of lower case, to the end of the chunk of bytes in which that line lies;
   * `next` is where to go on. Plain lines are looked for as bytes, and are those that hold it; of the others `isSure` is false.
   */
  search(lowerCase: string, from: number): { readonly found: readonly FoundLine[]; readonly next: number } {
    const start = from === 0 ? 0 : this.#ends[from - 1]!;
    const chunk = Math.floor(start / CHUNK);
    const before = chunk * CHUNK;
    const next = this.#lineAfter(before + CHUNK, from);
    const found: FoundLine[] = [];
    const isAscii = isPlain(lowerCase);
    const bytes = this.#chunks[chunk]?.subarray(start - before, Math.min(CHUNK, this.#bytes - before));
    const text = isAscii && bytes ? this.#latin.decode(bytes).toLowerCase() : "";
    let hit = isAscii ? text.indexOf(lowerCase) : -1;
    for (let line = from; line < next; line++) {
      const begin = (line === 0 ? 0 : this.#ends[line - 1]!) - start + this.#timeOf(line);
      const end = this.#ends[line]! - start;
      // A line that goes on in the next chunk is not in this text as a whole.
      if ((this.#times[line]! & PLAIN) === 0 || end > text.length && isAscii) {
        found.push({ line, isSure: false });
        continue;
      }
      if (hit >= 0 && hit < begin) hit = text.indexOf(lowerCase, begin);
      if (hit < 0 || hit + lowerCase.length > end) continue;
      found.push({ line, isSure: true });
      hit = text.indexOf(lowerCase, end);
    }
    return { found, next };
  }

  /** All text of a source, or of all, as it was written: what a download holds. */
  *contents(source?: number): Generator<Uint8Array<ArrayBuffer>> {
    const end = Uint8Array.of(0x0a);
    for (let number = 0; number < this.#count; number++) {
      if (source !== undefined && this.#sources[number] !== source) continue;
      yield this.#bytesOf(number).slice(this.#timeOf(number));
      yield end;
    }
  }

  #timeOf(number: number): number {
    return this.#times[number]! & ~PLAIN;
  }

  /** The first line behind another that begins at or after a byte. */
  #lineAfter(byte: number, from: number): number {
    let [low, high] = [from + 1, this.#count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle - 1]! < byte) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, this.#count);
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
    const start = this.#bytes % CHUNK;
    if (start + bytes.length <= CHUNK) {
      this.#chunkAt(this.#bytes).set(bytes, start);
      this.#bytes += bytes.length;
      return;
    }
    for (let at = 0; at < bytes.length;) {
      const place = this.#bytes % CHUNK;
      const part = bytes.subarray(at, at + CHUNK - place);
      this.#chunkAt(this.#bytes).set(part, place);
      this.#bytes += part.length;
      at += part.length;
    }
  }

  /** Writes printable ASCII, which takes no encoder; false, and part of it is written, for other text. */
  #writePlain(text: string): boolean {
    for (let at = 0; at < text.length;) {
      const chunk = this.#chunkAt(this.#bytes);
      const start = this.#bytes % CHUNK - at;
      const end = Math.min(text.length, CHUNK - start);
      this.#bytes += end - at;
      for (; at < end; at++) {
        const code = text.charCodeAt(at);
        if (code > 0x7e || code < 0x20 && code !== 0x09) return false;
        chunk[start + at] = code;
      }
    }
    return true;
  }

  /** The chunk in which a byte lies. */
  #chunkAt(byte: number): Uint8Array<ArrayBuffer> {
    return this.#chunks[Math.floor(byte / CHUNK)] ??= new Uint8Array(CHUNK);
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
