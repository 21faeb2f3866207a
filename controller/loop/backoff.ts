/** Exponential back-off, per name of the operation that failed. */
export interface BackoffOptions {
  readonly firstMillis: number;
  readonly maxMillis: number;
}

/** Delays that double with each consecutive failure, up to a limit. Only names with failures are stored. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #failures = new Map<string, number>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Records a failure of `name`, and returns how long to wait, in milliseconds. */
  next(name: string): number {
    const before = this.#failures.get(name) ?? 0;
    this.#failures.set(name, before + 1);
    const { firstMillis, maxMillis } = this.#options;
    return Math.min(firstMillis * 2 ** before, maxMillis);
  }

  /** Forgets the failures of `name`, after a success or when it is no longer needed. */
  forget(name: string): void {
    this.#failures.delete(name);
  }
}
