/** A limit on how often something is done: so many times in a second, and so many at once after a rest. */
import type { Clock } from "./clock.ts";

/** The limit: a bucket of `burst` tokens, into which `limit` tokens flow in a second. */
export interface RateLimit {
  readonly limit: number;
  readonly burst: number;
}

/** The limit that a limiter keeps, and its clock. */
export interface RateLimiterOptions {
  /** Read anew whenever it matters; undefined for no limit. */
  readonly limit: () => RateLimit | undefined;
  readonly clock: Clock;
}

/** Lets callers through in the order in which they came. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #waiting: ((mayGo: boolean) => void)[] = [];
  #tokens = Infinity;
  /** The moment at which the tokens were counted, in milliseconds since 1970. */
  #at: number;
  /** Takes the timer back. */
  #timer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#at = options.clock.now();
  }

  /** Waits for a token; resolves to false when the limiter is closed before there is one. */
  async take(): Promise<boolean> {
    if (this.#isClosed) return false;
    if (!this.#options.limit()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(resolve);
    this.#letThrough();
    return await promise;
  }

  /** The limit may be another one now. */
  reconsider(): void {
    this.#letThrough();
  }

  /** Turns away all who wait. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.();
    for (const turnAway of this.#waiting.splice(0)) turnAway(false);
  }

  #letThrough(): void {
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
    this.#timer = this.#options.clock.after(Math.max(1, millis), () => this.#letThrough());
  }

  /** At first the bucket is full. */
  #fill({ limit, burst }: RateLimit): void {
    const now = this.#options.clock.now();
    const flowed = Math.max(0, now - this.#at) / 1000 * limit;
    this.#at = now;
    this.#tokens = Math.min(burst, this.#tokens + flowed);
  }
}
