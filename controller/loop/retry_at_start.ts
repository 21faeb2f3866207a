/** Retries of an operation until it succeeds or is aborted, each with a log message. */
import { pause, systemClock } from "@tiphys/base/clock";
import { isRetryable } from "@tiphys/kube/errors";
import { Backoff } from "./backoff.ts";
import type { Log } from "@tiphys/base/log";

/** The name of the operation in the log, and the signal that aborts it. */
export interface PersistOptions {
  readonly what: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const BACKOFF = { firstMillis: 500, maxMillis: 30_000 };

/**
 * Retries an operation without which the program cannot start, as long as it fails with a transient error or a missing
 * permission. The start resumes when the cause is gone; no refusal ends the process.
 * @throws permanent errors of `act`, and the reason of the signal.
 */
export async function retryAtStart<T>(act: () => Promise<T>, { what, log, signal }: PersistOptions): Promise<T> {
  const backoff = new Backoff(BACKOFF);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const millis = backoff.next(what);
      log.warn(`Could not ${what}, retrying`, { error: String(error), millis });
      await pause(systemClock, millis, signal);
    }
  }
}
