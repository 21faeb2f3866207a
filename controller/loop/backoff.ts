/** Waiting times before something that failed is tried again, kept by its name. */
export interface BackoffOptions {
  readonly firstMillis: number;
  readonly mostMillis: number;
}

/** Pauses that double with every failure in a row, up to a limit. Only what fails is remembered. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #failures = new Map<string, number>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Counts one more failure of `name` and gives the milliseconds to wait. */
  next(name: string): number {
    const before = this.#failures.get(name) ?? 0;
    this.#failures.set(name, before + 1);
    const { firstMillis, mostMillis } = this.#options;
    return Math.min(firstMillis * 2 ** before, mostMillis);
  }

  /** Forgets the failures of `name`: it succeeded, or is not wanted any more. */
  forget(name: string): void {
    this.#failures.delete(name);
  }
}
