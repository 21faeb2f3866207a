/** A queue of lines from several streams for one reader, which may be slower than they are. */

/** Maximum number of queued lines, and of their characters. A writer that exceeds one of them waits. */
const MAX_QUEUED = 1000;
const MAX_QUEUED_CHARACTERS = 8 << 20;

/** A line, or an object with one. */
export type QueuedLine = string | { readonly line: string };

/**
 * A queue whose writers wait while it is full, until the reader catches up or the queue ends. Batches are kept as they
 * were pushed.
 */
export class LineQueue<T extends QueuedLine> implements AsyncIterable<readonly T[]> {
  #batches: (readonly T[])[] = [];
  #waiting = 0;
  #characters = 0;
  #wake: () => void = () => {};
  #roomAgain = Promise.withResolvers<void>();
  #end: { readonly error?: unknown } | undefined;

  /** Pushes lines. Resolves when there is room for more, or the reader has stopped. */
  async push(lines: readonly T[]): Promise<void> {
    this.#batches.push(lines);
    this.#waiting += lines.length;
    for (const line of lines) this.#characters += (typeof line === "string" ? line : line.line).length;
    this.#wake();
    const isFull = this.#waiting >= MAX_QUEUED || this.#characters >= MAX_QUEUED_CHARACTERS;
    if (isFull && !this.#end) await this.#roomAgain.promise;
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
          this.#characters = 0;
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
