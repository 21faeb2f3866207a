/** The clock of a pass, which leaves out the time in which others had the machine. */
import process from "node:process";

/**
 * A clock for how long a pass is at work among the others. On a machine that has too much to do, most of the time may be
 * others' time, and no fault of the workflow: that is taken off as soon as it matters. What the system says is read once
 * for the passes that begin within some milliseconds: to ask costs as much as a tenth of a short pass.
 */
export class WorkClock {
  readonly #began = performance.now();
  readonly #work = recentThreadMillis();
  readonly #limit: number;
  #waited = 0;
  #last = 0;

  /** `limit`: the milliseconds from which on the answers matter. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Milliseconds at work since it was made. */
  readonly now = (): number => {
    const wall = performance.now() - this.#began;
    if (wall - this.#waited > this.#limit) this.#waited = Math.max(0, wall - (threadMillis() - this.#work));
    return this.#last = Math.max(this.#last, wall - this.#waited);
  };
}

/**
 * The time for which a reading serves, in milliseconds. All time since counts as work done before, so a pass may take that
 * much longer.
 */
const SERVES_MILLIS = 5;
let read: { readonly at: number; readonly work: number } | undefined;

/** {@link threadMillis}, or at most {@link SERVES_MILLIS} more. */
function recentThreadMillis(): number {
  const at = performance.now();
  if (read && at >= read.at && at - read.at < SERVES_MILLIS) return read.work + (at - read.at);
  const work = threadMillis();
  read = { at, work };
  return work;
}

/**
 * Milliseconds that this thread was at work, where the system says so: exactly where all of it may be read, which a
 * controller with few permissions may not, else in steps of some milliseconds. Without either it is the time that went by.
 */
export function threadMillis(): number {
  if (isTold) {
    try {
      const [nanoseconds] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
      if (Number(nanoseconds) > 0) return Number(nanoseconds) / 1e6;
    } catch {
      // Some systems do not tell, or not without a right.
    }
    isTold = false;
  }
  return coarseMillis() ?? performance.now();
}

let isTold = true;

/** The same in coarse steps, which needs no permission; undefined where the system does not say. */
export function coarseMillis(): number | undefined {
  try {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  } catch {
    return undefined;
  }
}
