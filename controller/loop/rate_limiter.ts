/** A token bucket that limits operations per second and allows bursts. */
import type { Clock } from "./clock.ts";

/** A bucket of `burst` tokens that is refilled with `limit` tokens per second. */
export interface RateLimit {
  readonly limit: number;
  readonly burst: number;
}

/** The limit of a limiter, and its clock. */
export interface RateLimiterOptions {
  /** Returns the current limit; undefined for no limit. */
  readonly limit: () => RateLimit | undefined;
  readonly clock: Clock;
}

/** Admits callers in the order of their arrival. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #waiting: ((mayGo: boolean) => void)[] = [];
  #tokens = Infinity;
  /** The time at which the tokens were last counted, in milliseconds since 1970. */
  #at: number;
  /** Cancels the timer. */
  #timer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#at = options.clock.now();
  }

  /** Waits for a token. Resolves to false if the limiter is closed first. */
  async take(): Promise<boolean> {
    if (this.#isClosed) return false;
    if (!this.#options.limit()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    this.#releaseWaiting();
    return await promise;
  }

  /** Called when the limit may have changed. */
  reconsider(): void {
    this.#releaseWaiting();
  }

  /** Rejects all waiting callers. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.();
    for (const turnAway of this.#waiting.splice(0)) turnAway(false);
  }

  #releaseWaiting(): void {
    this.#timer?.();
    this.#timer = undefined;
    const limit = this.#options.limit();
    if (limit) this.#fill(limit);
    while (this.#waiting.length > 0 && (!limit || this.#tokens >= 1)) {
      this.#tokens--;
      this.#waiting.shift()!(true);
    }
    if (!limit || this.#waiting.length === 0 || limit.limit === 0 || limit.burst === 0) return;
    const millis = Math.ceil((1 - this.#tokens) / limit.limit * 1000);
    this.#timer = this.#options.clock.after(Math.max(1, millis), () => this.#releaseWaiting());
  }

  /** The bucket is full at first. */
  #fill({ limit, burst }: RateLimit): void {
    const now = this.#options.clock.now();
    const flowed = Math.max(0, now - this.#at) / 1000 * limit;
    this.#at = now;
    this.#tokens = Math.min(burst, this.#tokens + flowed);
  }
}
