/** Lines that several streams hand to one reader, who may be slower than they are. */

/** The number of lines that may wait for the reader; whoever brings more has to wait. */
const ENOUGH = 1000;

/** A queue whose writers wait while it is full, until its reader or its end lets them go on. */
export class LineQueue<T> implements AsyncIterable<T> {
  readonly #lines: T[] = [];
  #wake: () => void = () => {};
  #roomAgain = Promise.withResolvers<void>();
  #end: { readonly error?: unknown } | undefined;

  /** Hands a line over; resolves when there is room for another, or nobody reads any more. */
  async push(line: T): Promise<void> {
    this.#lines.push(line);
    this.#wake();
    if (this.#lines.length >= ENOUGH && !this.#end) await this.#roomAgain.promise;
  }

  /** Says that no more comes; with an error, that the reader is to be told of it after the last line. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
    this.#makeRoom();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        while (this.#lines.length > 0) {
          yield* this.#lines.splice(0);
          this.#makeRoom();
        }
        if (this.#end) {
          if ("error" in this.#end) throw this.#end.error;
          return;
        }
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    } finally {
      // The reader has left.
      this.end();
    }
  }

  #makeRoom(): void {
    this.#roomAgain.resolve();
    this.#roomAgain = Promise.withResolvers();
  }
}
