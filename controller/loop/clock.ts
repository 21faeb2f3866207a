/** The clock of the controller: its times and its timers, which tests move and the simulation replaces. */
import type { Clock } from "../../lib/clock/mod.ts";

export type { Clock };

/** The longest time a timer takes, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The machine's clock. A timer that is taken back is gone, so that one may be set in every pass: those of `systemClock`
 * stay until their time.
 */
export const machineClock: Clock = {
  now: () => Date.now(),
  after(millis, act) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      const part = Math.min(Math.max(0, left), LONGEST_TIMER);
      timer = setTimeout(() => left > part ? arm(left - part) : act(), part);
    };
    arm(millis);
    return () => clearTimeout(timer);
  },
};
