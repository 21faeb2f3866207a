/**
 * The lines of a log as bytes: chunks that never move, and four bytes per line for its end. A million lines need little
 * more memory than their text; lines become strings when they are shown.
 */

const CHUNK = 1 << 20;
/** A bit in the time of a line: its text is printable ASCII, so that its bytes equal the visible text. */
const PLAIN = 0x80;
/** The maximum number of bytes that are stored. Beyond that the page offers the download. */
const MAX_BYTES = 1 << 30;
/** The maximum number of lines: empty ones have no bytes, and seven in the lists. */
const MAX_LINES = 50_000_000;

/** One line as written, without its line end. */
export interface StoredLine {
  /** The index of the source, in order of first appearance. */
  readonly source: number;
  /** RFC 3339 with nanoseconds; empty if the server sent none. */
  readonly time: string;
  readonly text: string;
}

/** A line that contains the searched text. If it is not sure, its text must be checked. */
export interface FoundLine {
  readonly line: number;
  readonly isSure: boolean;
}

function isPlain(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}

/** The lines of a log. Lines are only appended, so line numbers are stable. */
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

  readonly #maxLines: number;

  /** @param maxLines the maximum number of lines. */
  constructor(maxLines = MAX_LINES) {
    this.#maxLines = maxLines;
  }

  /** The number of lines. */
  get count(): number {
    return this.#count;
  }

  /** The size of all text in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The names of the sources, by index. */
  get sources(): readonly string[] {
    return this.#names;
  }

  /** Adds a line; returns false if the store is full. */
  append(source: string, time: string, text: string): boolean {
    if (!this.#hasRoom(time.length + text.length)) return false;
    const before = this.#bytes;
    const areBothPlain = this.#writePlain(time) && this.#writePlain(text);
    if (!areBothPlain) {
      this.#bytes = before;
      const encoded = this.#encoder.encode(time + text);
      if (before + encoded.length > MAX_BYTES) return false;
      this.#write(encoded);
    }
    this.#endLine(source, areBothPlain ? time.length | PLAIN : time.length);
    return true;
  }

  /** Adds a line as bytes of printable ASCII: its time and its text. Returns false if the store is full. */
  appendPlain(source: string, time: Uint8Array, text: Uint8Array): boolean {
    if (!this.#hasRoom(time.length + text.length)) return false;
    this.#write(time);
    this.#write(text);
    this.#endLine(source, time.length | PLAIN);
    return true;
  }

  #hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= MAX_BYTES && this.#count < this.#maxLines;
  }

  /** Ends the line whose bytes were just written. */
  #endLine(source: string, time: number): void {
    this.#grow();
    this.#ends[this.#count] = this.#bytes;
    this.#sources[this.#count] = this.#numberOf(source);
    this.#times[this.#count] = time;
    this.#count++;
  }

  /** Returns a line by number, from 0. @throws {RangeError} if it does not exist */
  line(number: number): StoredLine {
    const bytes = this.#bytesOf(number);
    const time = this.#timeOf(number);
    return {
      source: this.#sources[number]!,
      time: this.#decoder.decode(bytes.subarray(0, time)),
      text: this.#decoder.decode(bytes.subarray(time)),
    };
  }

  /** Returns the text of a line without its time. */
  text(number: number): string {
    return this.#decoder.decode(this.#bytesOf(number).subarray(this.#timeOf(number)));
  }

  /** Returns the first byte of a text; undefined for an empty one. Much faster than the text. */
  firstByte(number: number): number | undefined {
    const start = (number === 0 ? 0 : this.#ends[number - 1]!) + this.#timeOf(number);
    return start < this.#ends[number]! ? this.#chunks[Math.floor(start / CHUNK)]![start % CHUNK] : undefined;
  }

  /**
   * Returns lines from `from` on that may contain a text in lower case, up to the end of the chunk that contains the
   * line; the search continues at `next`. Plain lines are searched as bytes and are certain matches; other lines have
   * `isSure` false.
   */
  search(lowerCase: string, from: number): { readonly hits: readonly FoundLine[]; readonly next: number } {
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
      // A line that continues in the next chunk is not complete in this text.
      if ((this.#times[line]! & PLAIN) === 0 || end > text.length && isAscii) {
        found.push({ line, isSure: false });
        continue;
      }
      if (hit >= 0 && hit < begin) hit = text.indexOf(lowerCase, begin);
      if (hit < 0 || hit + lowerCase.length > end) continue;
      found.push({ line, isSure: true });
      hit = text.indexOf(lowerCase, end);
    }
    return { hits: found, next };
  }

  /** Yields the text of one source or of all as written, for a download. */
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

  /** Returns the first line after another one that starts at or after a byte. */
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
    for (let offset = from; offset < to;) {
      const chunk = Math.floor(offset / CHUNK);
      const part = this.#chunks[chunk]!.subarray(offset - chunk * CHUNK, Math.min(CHUNK, to - chunk * CHUNK));
      whole.set(part, offset - from);
      offset += part.length;
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
    for (let offset = 0; offset < bytes.length;) {
      const place = this.#bytes % CHUNK;
      const part = bytes.subarray(offset, offset + CHUNK - place);
      this.#chunkAt(this.#bytes).set(part, place);
      this.#bytes += part.length;
      offset += part.length;
    }
  }

  /** Writes printable ASCII without an encoder. For other text it returns false after writing a part. */
  #writePlain(text: string): boolean {
    for (let offset = 0; offset < text.length;) {
      const chunk = this.#chunkAt(this.#bytes);
      const start = this.#bytes % CHUNK - offset;
      const end = Math.min(text.length, CHUNK - start);
      this.#bytes += end - offset;
      for (; offset < end; offset++) {
        const code = text.charCodeAt(offset);
        if (code > 0x7e || code < 0x20 && code !== 0x09) return false;
        chunk[start + offset] = code;
      }
    }
    return true;
  }

  /** Returns the chunk that contains a byte. */
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
