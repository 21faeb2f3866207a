/** Trying again until something succeeds or is given up, with a line in the log for each time. */
import { pause, systemClock } from "@tiphys/base/clock";
import { mayPass } from "@tiphys/kube";
import { Backoff } from "./backoff.ts";
import type { Log } from "@tiphys/base/log";

/** The name of the attempt in the log, and the signal that gives it up. */
export interface PersistOptions {
  readonly what: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const BACKOFF = { firstMillis: 500, mostMillis: 30_000 };

/**
 * Does what a start cannot do without, again and again as long as the world is in trouble or we lack a right: a start goes
 * on when it can, and no refusal ends the process.
 * @throws what `act` throws and will throw again, and the signal's reason when that is aborted.
 */
export async function persist<T>(act: () => Promise<T>, { what, log, signal }: PersistOptions): Promise<T> {
  const backoff = new Backoff(BACKOFF);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const millis = backoff.next(what);
      log.warn(`Could not ${what}; it is tried again`, { error: String(error), millis });
      await pause(systemClock, millis, signal);
    }
  }
}
