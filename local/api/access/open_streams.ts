/** The open streams of callers: watches, logs and commands. Each caller may have a share of the maximum. */
import { MAX_STREAMS } from "../limits.ts";
import { tooManyRequests } from "../status_error.ts";
import type { Caller } from "./caller.ts";

/** The maximum numbers of streams: in total, of a user, and of a pod. */
export interface StreamLimits {
  readonly total: number;
  readonly user: number;
  readonly pod: number;
}

/** Counts the open streams. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: StreamLimits = MAX_STREAMS) {
    this.#limits = limits;
  }

  /**
   * Counts a stream until the result is called.
   * @throws {StatusError} 429 if the caller, or all callers together, have too many.
   */
  acquire({ user, pod }: Caller): () => void {
    const { total, user: ofUser, pod: ofPod } = this.#limits;
    const counted: readonly (readonly [string, number])[] = [
      ["all", total],
      [`user ${user}`, ofUser],
      ...(pod ? [[`pod ${pod.uid}`, ofPod] as const] : []),
    ];
    if (counted.some(([key, limit]) => this.#countOf(key) >= limit)) {
      throw tooManyRequests("Too many requests, please try again later: too many watches, logs and commands are open");
    }
    for (const [key] of counted) this.#counts.set(key, this.#countOf(key) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const [key] of counted) {
        const rest = this.#countOf(key) - 1;
        if (rest > 0) this.#counts.set(key, rest);
        else this.#counts.delete(key);
      }
    };
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}
