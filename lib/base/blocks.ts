/** Reads a stream in blocks of requested sizes. */
export class BlockReader implements AsyncDisposable {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffered: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns 1 to `limit` bytes; undefined at the end. They are valid until the next call. */
  async readUpTo(limit: number): Promise<Uint8Array | undefined> {
    while (this.#buffered.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) return undefined;
      this.#buffered = value;
    }
    return this.#takeBuffered(limit);
  }

  /** Returns exactly `size` bytes if they have already arrived; undefined otherwise. */
  readIfArrived(size: number): Uint8Array | undefined {
    return size <= this.#buffered.length ? this.#takeBuffered(size) : undefined;
  }

  /** Returns exactly `size` bytes, which must be few; undefined at the end of the stream. */
  async readExactly(size: number): Promise<Uint8Array | undefined> {
    const whole = this.readIfArrived(size);
    if (whole) return whole;
    const gathered = new Uint8Array(size);
    for (let length = 0; length < size;) {
      const part = await this.readUpTo(size - length);
      if (!part && length === 0) return undefined;
      if (!part) throw endsTooEarly();
      gathered.set(part, length);
      length += part.length;
    }
    return gathered;
  }

  /** Yields `size` bytes in parts. */
  async *part(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      const part = await this.readUpTo(left);
      if (!part) throw endsTooEarly();
      left -= part.length;
      yield part;
    }
  }

  async skip(size: number): Promise<void> {
    if (this.readIfArrived(size)) return;
    for await (const _ of this.part(size));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return?.();
  }

  #takeBuffered(limit: number): Uint8Array {
    const part = this.#buffered.subarray(0, limit);
    this.#buffered = this.#buffered.subarray(part.length);
    return part;
  }
}

function endsTooEarly(): Error {
  return new Error("the archive is damaged: it ends too early");
}
