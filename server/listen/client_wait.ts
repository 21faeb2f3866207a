/** The timeout for clients that neither send nor read. */
import type { Clock } from "@tiphys/base/clock";

/** Timers for waiting on clients. */
export type Timers = Pick<Clock, "after">;

/** The timeout, and its timers. */
export interface ClientWait {
  /** In milliseconds. */
  readonly stallMillis?: number | undefined;
  readonly timers?: Timers | undefined;
}

export const STALL_MILLIS = 120_000;

/** The real timers. A timer is set for each pending piece, so a canceled one must leave nothing behind. */
export const MACHINE: Timers = {
  after(millis, act) {
    const timer = setTimeout(act, millis);
    return () => clearTimeout(timer);
  },
};
