/** The rate of requests of one caller: a number of tokens a second for each address. */
import { keepNewest } from "../../lib/kept.ts";

/** Whether a request may pass, and what its answer says of the rate. */
export interface Taken {
  readonly isOver: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Bucket {
  tokens: number;
  /** The begin of its second, in milliseconds. */
  from: number;
}

const MOST_CALLERS = 100_000;
const SECOND = 1000;

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
    const key = clientOf(headers, address, this.#keyHeaders);
    const bucket = this.#buckets.get(key) ?? { tokens: this.#limit, from: now };
    const seconds = Math.floor((now - bucket.from) / SECOND);
    if (seconds !== 0) {
      bucket.tokens = this.#limit;
      bucket.from = seconds > 0 ? bucket.from + seconds * SECOND : now;
    }
    const isOver = bucket.tokens < 1;
    if (!isOver) bucket.tokens--;
    keepNewest(this.#buckets, key, bucket, MOST_CALLERS);
    const reset = new Date(bucket.from + SECOND).toUTCString();
    return {
      isOver,
      headers: {
        "x-ratelimit-limit": String(this.#limit),
        "x-ratelimit-remaining": String(bucket.tokens),
        // Both are the moment at which the second of this caller ends, as a date of HTTP, which ends with GMT: so has it
        // go-limiter 1.2.0, which Argo's server is built with. Release 1.1 wrote UTC there.
        "x-ratelimit-reset": reset,
        ...(isOver ? { "retry-after": reset } : {}),
      },
    };
  }
}

/** The client of a request: what the first of these headers says that it has, else its address. */
export function clientOf(headers: Headers, address: string, keyHeaders: readonly string[]): string {
  return keyHeaders.map((name) => headers.get(name)).find(Boolean) ?? address;
}
