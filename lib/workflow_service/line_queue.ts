/** Lines that several streams hand to one reader, who may be slower than they are. */

/** The number of lines that may wait for the reader; whoever brings more has to wait. */
const ENOUGH = 1000;

/** A queue whose writers wait while it is full, until its reader or its end lets them go on. Its lines come in batches, as they were handed over. */
export class LineQueue<T> implements AsyncIterable<readonly T[]> {
  #batches: (readonly T[])[] = [];
  #waiting = 0;
  #wake: () => void = () => {};
  #roomAgain = Promise.withResolvers<void>();
  #end: { readonly error?: unknown } | undefined;

  /** Hands lines over; resolves when there is room for others, or nobody reads any more. */
  async push(lines: readonly T[]): Promise<void> {
    this.#batches.push(lines);
    this.#waiting += lines.length;
    this.#wake();
    if (this.#waiting >= ENOUGH && !this.#end) await this.#roomAgain.promise;
  }

  /** Says that no more comes; with an error, that the reader is to be told of it after the last line. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
    this.#makeRoom();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    try {
      for (;;) {
        while (this.#batches.length > 0) {
          const batches = this.#batches;
          this.#batches = [];
          this.#waiting = 0;
          yield* batches;
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
