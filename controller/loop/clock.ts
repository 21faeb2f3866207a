/** The clock of the controller: its times and its timers, which tests move and the simulation replaces. */
import type { Clock } from "../../lib/clock/mod.ts";

export type { Clock };

/** The parts of a machine that a clock is made of. */
export interface Clockwork {
  /** Milliseconds since 1970; may be set to anything. */
  now(): number;
  /** Milliseconds of a clock that only goes forward, and stands still while the machine sleeps. */
  steady(): number;
  /** Calls `act` after so many milliseconds of the steady clock; calling the answer before that takes it back. */
  timer(millis: number, act: () => void): () => void;
}

/** The longest time that a timer is left alone, milliseconds: the machine may have slept meanwhile, or its clock been set. */
const LOOK_AGAIN_MILLIS = 60_000;

/**
 * A clock whose timers count the time that the machine sleeps, and end as soon as either clock of the machine says that
 * their time is over: one that is set back keeps nobody waiting.
 */
export function clockOf({ now, steady, timer }: Clockwork): Clock {
  return {
    now,
    after(millis, act) {
      const [began, steadyBegan] = [now(), steady()];
      let takeBack = () => {};
      const arm = (left: number) => {
        const part = Math.min(Math.max(0, left), LOOK_AGAIN_MILLIS);
        takeBack = timer(part, () => left > part ? look() : act());
      };
      const look = () => arm(millis - Math.max(now() - began, steady() - steadyBegan));
      arm(millis);
      return () => takeBack();
    },
  };
}

/**
 * The machine's clock. A timer that is taken back is gone, so that one may be set in every pass: those of `systemClock`
 * stay until their time.
 */
export const machineClock: Clock = clockOf({
  now: () => Date.now(),
  steady: () => performance.now(),
  timer(millis, act) {
    const timer = setTimeout(act, millis);
    return () => clearTimeout(timer);
  },
});
