/** The rate of requests of one caller: a number of tokens a second for each address. */
import { keepNewest } from "../../lib/kept.ts";

/** Whether a request may pass, and what its answer says of the rate. */
export interface Taken {
  readonly isOver: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MOST_CALLERS = 100_000;

/** Gives each address `limit` requests a second. */
export class RateLimiter {
  readonly #limit: number;
  readonly #keyHeaders: readonly string[];
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `keyHeaders` name headers that say who calls, where a proxy stands before the server; `now` is in milliseconds. */
  constructor(limit: number, keyHeaders: readonly string[], now: () => number) {
    this.#limit = limit;
    this.#keyHeaders = keyHeaders;
    this.#now = now;
  }

  /** Takes a token for a request. */
  take(headers: Headers, address: string): Taken {
    const now = this.#now();
    const key = this.#keyHeaders.map((name) => headers.get(name)).find(Boolean) ?? address;
    const bucket = this.#buckets.get(key) ?? { tokens: this.#limit, at: now };
    bucket.tokens = Math.min(this.#limit, bucket.tokens + (now - bucket.at) / 1000 * this.#limit);
    bucket.at = now;
    const isOver = bucket.tokens < 1;
    if (!isOver) bucket.tokens--;
    keepNewest(this.#buckets, key, bucket, MOST_CALLERS);
    const reset = Math.ceil((now + (this.#limit - bucket.tokens) / this.#limit * 1000) / 1000);
    return {
      isOver,
      headers: {
        "x-ratelimit-limit": String(this.#limit),
        "x-ratelimit-remaining": String(Math.floor(bucket.tokens)),
        // Argo's server says it so: RFC 1123, with the name of the zone.
        "x-ratelimit-reset": new Date(reset * 1000).toUTCString().replace("GMT", "UTC"),
        ...(isOver ? { "retry-after": "1" } : {}),
      },
    };
  }
}
