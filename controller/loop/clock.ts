/** The clock of the controller: its time and timers, which tests control and the simulation replaces. */
import type { Clock } from "@tiphys/base/clock";

export type { Clock };

/** The time sources and timers of a machine from which a clock is built. */
export interface ClockSource {
  /** Milliseconds since 1970. It can jump when the system time is set. */
  now(): number;
  /** Milliseconds of a monotonic clock, which stops while the machine sleeps. */
  monotonicMillis(): number;
  /** Calls `act` after some milliseconds of the monotonic clock. The returned function cancels the timer. */
  timer(millis: number, act: () => void): () => void;
}

/**
 * The interval between checks of long timers, in milliseconds. The machine may have slept in the meantime, or its time
 * been set.
 */
const CHECK_INTERVAL_MILLIS = 60_000;

/** A timer that is due later than the next check. */
interface LongTimer {
  /** The times of both clocks when the timer was set. */
  readonly began: number;
  readonly steadyBegan: number;
  readonly millis: number;
  /** Called when the next time is closer than the interval between checks, with the remaining milliseconds. */
  readonly onNear: (remaining: number) => void;
}

/**
 * A clock whose timers include the time that the machine sleeps: a timer ends when either clock of the machine has
 * passed its time, so setting a clock back delays nothing.
 */
export function clockOf({ now, monotonicMillis: steady, timer }: ClockSource): Clock {
  // Waiting and finished workflows have a timer each: one check serves all long timers.
  const far = new Set<LongTimer>();
  let stopLooking: (() => void) | undefined;
  const lookLater = () => {
    stopLooking = far.size > 0 ? timer(CHECK_INTERVAL_MILLIS, look) : undefined;
  };
  const look = () => {
    const [wall, forward] = [now(), steady()];
    for (const longTimer of far) {
      const left = longTimer.millis - Math.max(wall - longTimer.began, forward - longTimer.steadyBegan);
      if (left > CHECK_INTERVAL_MILLIS) continue;
      far.delete(longTimer);
      longTimer.onNear(left);
    }
    lookLater();
  };
  const takeBackFar = (longTimer: LongTimer) => {
    if (!far.delete(longTimer) || far.size > 0) return;
    stopLooking?.();
    stopLooking = undefined;
  };
  return {
    now,
    after(millis, act) {
      let takeBack: () => void;
      const onNear = (remaining: number) => takeBack = timer(Math.max(0, remaining), act);
      if (millis > CHECK_INTERVAL_MILLIS) {
        const longTimer = { began: now(), steadyBegan: steady(), millis, onNear };
        takeBack = () => takeBackFar(longTimer);
        far.add(longTimer);
        if (!stopLooking) lookLater();
      } else onNear(millis);
      return () => takeBack();
    },
  };
}

/**
 * A clock of this machine, one per controller. A canceled timer is released at once, so that every pass can set one; a
 * timer of `systemClock` stays until it is due.
 */
export function machineClock(): Clock {
  return clockOf({
    now: () => Date.now(),
    monotonicMillis: () => performance.now(),
    timer(millis, act) {
      const timer = setTimeout(act, millis);
      return () => clearTimeout(timer);
    },
  });
}
