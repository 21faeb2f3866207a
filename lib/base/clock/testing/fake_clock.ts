/** A clock for tests, which advances only when a test moves it. */
import type { Clock } from "../clock.ts";

/** A clock that a test moves. */
export interface FakeClock extends Clock {
  /** Milliseconds by which the clock was moved. */
  readonly elapsed: number;
  /** The number of timers that were set in total. */
  readonly timersSet: number;
  /** Moves the clock and fires the timers that are due, in the order of their times. */
  advance(millis: number): void;
  /** Moves the clock to the next timer and fires it, if it is due within `millis`. */
  skip(millis: number): void;
  /**
   * Resolves when the next timer is set, that is, when the code under test waits again. Do not use together with {@link
   * FakeClock.runUntil}.
   */
  nextTimer(): Promise<void>;
  /** Moves the clock from timer to timer until `work` settles, and returns its result. */
  runUntil<T>(work: Promise<T>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** Real milliseconds between two timers: code that a timer resumed may still be accessing files. */
const TURN_MILLIS = 5;

/** Returns a clock that starts at the current time, as the files of a test have real times. */
export function fakeClock(): FakeClock {
  const began = Date.now();
  let elapsed = 0;
  let timersSet = 0;
  const timers = new Set<Timer>();
  let timerWasSet = () => {};
  const next = () => [...timers].sort((a, b) => a.at - b.at)[0] as Timer | undefined;
  const advance = (millis: number) => {
    const end = elapsed + millis;
    for (let timer = next(); timer && timer.at <= end; timer = next()) {
      timers.delete(timer);
      elapsed = timer.at;
      timer.act();
    }
    elapsed = end;
  };
  return {
    get elapsed() {
      return elapsed;
    },
    get timersSet() {
      return timersSet;
    },
    now: () => began + elapsed,
    after(millis, act) {
      const timer = { at: elapsed + Math.max(0, millis), act };
      timers.add(timer);
      timersSet++;
      timerWasSet();
      return () => void timers.delete(timer);
    },
    advance,
    skip(millis) {
      const timer = next();
      if (timer && timer.at <= elapsed + millis) advance(timer.at - elapsed);
    },
    nextTimer: () => new Promise((resolve) => timerWasSet = resolve),
    async runUntil(work) {
      let isDone = false;
      const end = () => void (isDone = true);
      const ended = work.then(end, end);
      while (!isDone) {
        await new Promise((resolve) => setTimeout(resolve, TURN_MILLIS));
        const timer = next();
        if (timer) advance(timer.at - elapsed);
        else await Promise.race([ended, new Promise<void>((resolve) => timerWasSet = resolve)]);
      }
      return await work;
    },
  };
}
