/** Settings that are followed: read again and again, and told of when they have become others. */
import { type Clock, pause } from "../lib/clock/mod.ts";
import type { Log } from "../lib/log.ts";

/** Something of the cluster that a running server goes by. */
export interface Followed<T> {
  /** Its name, for the log. */
  readonly what: string;
  /** Its value at the start. */
  readonly first: T;
  readonly read: () => Promise<T>;
  /** Takes its new value; what this throws is told in the log, and the server goes on with the value it had. */
  readonly apply: (next: T) => void | Promise<void>;
  readonly millis: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows something until the signal is aborted. A trouble is told of once, and tried again. */
export async function follow<T>(followed: Followed<T>, signal: AbortSignal): Promise<void> {
  const { what, read, apply, millis, clock, log } = followed;
  let known = JSON.stringify(followed.first);
  let told: string | undefined;
  while (!signal.aborted) {
    try {
      await pause(clock, millis, signal);
    } catch {
      return;
    }
    try {
      const next = await read();
      const text = JSON.stringify(next);
      if (text !== known) {
        known = text;
        await apply(next);
        log.info("Settings have changed and count from now on", { what });
      }
      told = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const words = error instanceof Error ? error.message : String(error);
      if (words !== told) {
        log.warn("Settings could not be followed; what was known before counts", { what, error: words });
      }
      told = words;
    }
  }
}
