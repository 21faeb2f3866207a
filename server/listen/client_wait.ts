/** The time for which clients are waited for that neither send nor read anything. */
import type { Clock } from "../../lib/clock/mod.ts";

/** What waits a while for clients. */
export type Timers = Pick<Clock, "after">;

/** How long a client is waited for, and by which timers. */
export interface ClientWait {
  /** Milliseconds. */
  readonly stallMillis?: number | undefined;
  readonly timers?: Timers | undefined;
}

export const STALL_MILLIS = 120_000;

/** The machine's timers. One is set for each piece that waits: one that is taken back must leave nothing. */
export const MACHINE: Timers = {
  after(millis, act) {
    const timer = setTimeout(act, millis);
    return () => clearTimeout(timer);
  },
};
