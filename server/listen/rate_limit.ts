/** The rate limit of requests: tokens per second for each address. */
import { keepNewest } from "@tiphys/base/text_cache";

/** Whether a request exceeds the limit, and the headers of its response. */
export interface RateResult {
  readonly isOver: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  /** Start of the current one-second window, in milliseconds since the epoch. */
  from: number;
}

const MAX_CALLERS = 100_000;
const SECOND = 1000;

/** Allows each address `limit` requests per second. */
export class RateLimiter {
  readonly #limit: number;
  readonly #keyHeaders: readonly string[];
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `keyHeaders` are headers that identify the client behind a proxy; `now` is in milliseconds. */
  constructor(limit: number, keyHeaders: readonly string[], now: () => number) {
    this.#limit = limit;
    this.#keyHeaders = keyHeaders;
    this.#now = now;
  }

  /** Consumes a token for a request. */
  take(headers: Headers, address: string): RateResult {
    const now = this.#now();
    const key = clientOf(headers, address, this.#keyHeaders);
    const bucket = this.#buckets.get(key) ?? { tokens: this.#limit, from: now };
    const seconds = Math.floor((now - bucket.from) / SECOND);
    if (seconds !== 0) {
      bucket.tokens = this.#limit;
      bucket.from = seconds > 0 ? bucket.from + seconds * SECOND : now;
    }
    const isOver = bucket.tokens < 1;
    if (!isOver) bucket.tokens--;
    keepNewest(this.#buckets, key, bucket, MAX_CALLERS);
    const reset = new Date(bucket.from + SECOND).toUTCString();
    return {
      isOver,
      headers: {
        "x-ratelimit-limit": String(this.#limit),
        "x-ratelimit-remaining": String(bucket.tokens),
        // Both are the end of the current window as an HTTP date, which ends in GMT, like go-limiter 1.2.0, which
        // Argo's server uses. Its release 1.1 wrote UTC.
        "x-ratelimit-reset": reset,
        ...(isOver ? { "retry-after": reset } : {}),
      },
    };
  }
}

/** Returns the client of a request: the value of the first of these headers that is set, otherwise the address. */
export function clientOf(headers: Headers, address: string, keyHeaders: readonly string[]): string {
  return keyHeaders.map((name) => headers.get(name)).find(Boolean) ?? address;
}
