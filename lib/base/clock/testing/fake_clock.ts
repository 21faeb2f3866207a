/** A clock for tests: it stands still until it is moved. */
import type { Clock } from "../clock.ts";

/** A clock that a test moves. */
export interface FakeClock extends Clock {
  /** Milliseconds it was moved since it was made. */
  readonly elapsed: number;
  /** The number of timers that were ever set. */
  readonly timersSet: number;
  /** Moves the clock; timers whose time has come act in its order. */
  advance(millis: number): void;
  /** Resolves when the next timer is set: somebody looked, and waits again. Not beside {@link FakeClock.runUntil}. */
  nextTimer(): Promise<void>;
  /** Moves the clock from timer to timer, as long as `work` lasts, and resolves to what comes of it. */
  runUntil<T>(work: Promise<T>): Promise<T>;
}

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/** The real world gets a turn between two timers: code that was woken may still be at its files. */
const TURN_MILLIS = 5;

/** Makes a clock that begins at the machine's time, as files have times too. */
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
    nextTimer: () => new Promise((resolve) => timerWasSet = resolve),
    async runUntil(work) {
      let over = false;
      const end = () => void (over = true);
      const ended = work.then(end, end);
      while (!over) {
        await new Promise((resolve) => setTimeout(resolve, TURN_MILLIS));
        const timer = next();
        if (timer) advance(timer.at - elapsed);
        else await Promise.race([ended, new Promise<void>((resolve) => timerWasSet = resolve)]);
      }
      return await work;
    },
  };
}
