/** A queue of lines from several streams for one reader, which may be slower than they are. */

/** Maximum number of queued lines. A writer that exceeds it waits. */
const MAX_QUEUED = 1000;

/**
 * A queue whose writers wait while it is full, until the reader catches up or the queue ends. Batches are kept as they
 * were pushed.
 */
export class LineQueue<T> implements AsyncIterable<readonly T[]> {
  #batches: (readonly T[])[] = [];
  #waiting = 0;
  #wake: () => void = () => {};
  #roomAgain = Promise.withResolvers<void>();
  #end: { readonly error?: unknown } | undefined;

  /** Pushes lines. Resolves when there is room for more, or the reader has stopped. */
  async push(lines: readonly T[]): Promise<void> {
    this.#batches.push(lines);
    this.#waiting += lines.length;
    this.#wake();
    if (this.#waiting >= MAX_QUEUED && !this.#end) await this.#roomAgain.promise;
  }

  /** Ends the queue. An error is thrown to the reader after the last line. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
    this.#resumeWriters();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    try {
      for (;;) {
        while (this.#batches.length > 0) {
          const batches = this.#batches;
          this.#batches = [];
          this.#waiting = 0;
          yield* batches;
          this.#resumeWriters();
        }
        if (this.#end) {
          if ("error" in this.#end) throw this.#end.error;
          return;
        }
        await new Promise<void>((resolve) => this.#wake = resolve);
      }
    } finally {
      // The reader has stopped.
      this.end();
    }
  }

  #resumeWriters(): void {
    this.#roomAgain.resolve();
    this.#roomAgain = Promise.withResolvers();
  }
}
