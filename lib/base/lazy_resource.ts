/** A resource that is opened on first use. If opening fails, the next call tries again. */
export class LazyResource<T extends AsyncDisposable> {
  readonly #open: () => Promise<T>;
  #opened: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** @throws the error of opening. */
  async get(): Promise<T> {
    const opening = this.#opened ??= this.#open();
    try {
      return await opening;
    } catch (error) {
      if (this.#opened === opening) this.#opened = undefined;
      throw error;
    }
  }

  /** Closes the resource if it was opened. The error of a failed opening is thrown only by {@link get}. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }
}
