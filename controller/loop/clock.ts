/** The clock of the controller: its times and its timers, which tests move and the simulation replaces. */
import type { Clock } from "@tiphys/base/clock";

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

/** A timer that has more to go than it may be left alone for. */
interface FarTimer {
  /** The times of both clocks at which it began. */
  readonly began: number;
  readonly steadyBegan: number;
  readonly millis: number;
  /** So much is left of it, which it may be left alone for. */
  readonly comesNear: (left: number) => void;
}

/**
 * A clock whose timers count the time that the machine sleeps, and end as soon as either clock of the machine says that
 * their time is over: one that is set back keeps nobody waiting.
 */
export function clockOf({ now, steady, timer }: Clockwork): Clock {
  // Workflows that wait, or are over, have a timer each: one look serves all that are far.
  const far = new Set<FarTimer>();
  let stopLooking: (() => void) | undefined;
  const lookLater = () => {
    stopLooking = far.size > 0 ? timer(LOOK_AGAIN_MILLIS, look) : undefined;
  };
  const look = () => {
    const [wall, forward] = [now(), steady()];
    for (const one of far) {
      const left = one.millis - Math.max(wall - one.began, forward - one.steadyBegan);
      if (left > LOOK_AGAIN_MILLIS) continue;
      far.delete(one);
      one.comesNear(left);
    }
    lookLater();
  };
  const takeBackFar = (one: FarTimer) => {
    if (!far.delete(one) || far.size > 0) return;
    stopLooking?.();
    stopLooking = undefined;
  };
  return {
    now,
    after(millis, act) {
      let takeBack: () => void;
      const comesNear = (left: number) => takeBack = timer(Math.max(0, left), act);
      if (millis > LOOK_AGAIN_MILLIS) {
        const one = { began: now(), steadyBegan: steady(), millis, comesNear };
        takeBack = () => takeBackFar(one);
        far.add(one);
        if (!stopLooking) lookLater();
      } else comesNear(millis);
      return () => takeBack();
    },
  };
}

/**
 * A clock of the machine's, one for each controller: its timers end with it. A timer that is taken back is gone, so that one
 * may be set in every pass: those of `systemClock` stay until their time.
 */
export function machineClock(): Clock {
  return clockOf({
    now: () => Date.now(),
    steady: () => performance.now(),
    timer(millis, act) {
      const timer = setTimeout(act, millis);
      return () => clearTimeout(timer);
    },
  });
}
