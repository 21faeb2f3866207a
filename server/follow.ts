/** Polling of settings that may change while the server runs. */
import { type Clock, pause } from "@tiphys/base/clock";
import type { Log } from "@tiphys/base/log";

/** A setting in the cluster that a running server follows. */
export interface FollowedSetting<T> {
  /** Its name, for the log. */
  readonly what: string;
  /** Its value at the start. */
  readonly first: T;
  readonly read: () => Promise<T>;
  /** Applies a new value. An error is logged, and the server continues with the previous value. */
  readonly apply: (next: T) => void | Promise<void>;
  readonly millis: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Polls a setting until the signal is aborted. A repeated error is logged once. */
export async function followSetting<T>(followed: FollowedSetting<T>, signal: AbortSignal): Promise<void> {
  const { what, read, apply, millis, clock, log } = followed;
  let known = JSON.stringify(followed.first);
  let lastError: string | undefined;
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
        log.info("Settings have changed and take effect now", { what });
      }
      lastError = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const words = error instanceof Error ? error.message : String(error);
      if (words !== lastError) {
        log.warn("Failed to read settings; the previous values remain in effect", { what, error: words });
      }
      lastError = words;
    }
  }
}
