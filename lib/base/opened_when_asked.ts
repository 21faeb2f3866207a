/** Something that is opened when it is first asked for, as a database whose settings nobody may use. */

/** It is opened once, unless that failed: then the next call tries again. */
export class OpenedWhenAsked<T extends AsyncDisposable> {
  readonly #open: () => Promise<T>;
  #opened: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** @throws what opening throws. */
  async get(): Promise<T> {
    const opening = this.#opened ??= this.#open();
    try {
      return await opening;
    } catch (error) {
      if (this.#opened === opening) this.#opened = undefined;
      throw error;
    }
  }

  /** Closes it, if it was opened; who waits for one that cannot be is told there. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}
