/** The clock of a pass, which excludes the time in which the machine ran other programs. */
import process from "node:process";

/**
 * A clock for the work of a pass in the fast lane. On an overloaded machine, other programs may use most of the time,
 * which the workflow does not cause: their time is subtracted once the total exceeds `limit`. The system's figure is
 * read once for the passes that start within some milliseconds, because reading it costs as much as a tenth of a short
 * pass.
 */
export class WorkClock {
  readonly #began = performance.now();
  readonly #work = recentThreadMillis();
  readonly #limit: number;
  #waited = 0;
  #last = 0;

  /** `limit`: the milliseconds from which the time of other programs is subtracted. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Milliseconds of work since it was created. */
  readonly now = (): number => {
    const wall = performance.now() - this.#began;
    if (wall - this.#waited > this.#limit) this.#waited = Math.max(0, wall - (threadMillis() - this.#work));
    return this.#last = Math.max(this.#last, wall - this.#waited);
  };
}

/**
 * The validity of a reading, in milliseconds. All time since the reading counts as work, so a pass may be cut short by
 * that much.
 */
const VALIDITY_MILLIS = 5;
let read: { readonly at: number; readonly work: number } | undefined;

/** {@link threadMillis}, or at most {@link VALIDITY_MILLIS} more. */
function recentThreadMillis(): number {
  const start = performance.now();
  if (read && start >= read.at && start - read.at < VALIDITY_MILLIS) return read.work + (start - read.at);
  const work = threadMillis();
  read = { at: start, work };
  return work;
}

/**
 * The work of this thread in milliseconds, if the system reports it: exact if the statistics may be read, which
 * requires permissions that a controller may lack, otherwise in steps of some milliseconds. Without a report, the time
 * that has passed.
 */
export function threadMillis(): number {
  if (isReported) {
    try {
      const [nanoseconds] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
      if (Number(nanoseconds) > 0) return Number(nanoseconds) / 1e6;
    } catch {
      // Some systems do not report it, or not without a permission.
    }
    isReported = false;
  }
  return coarseMillis() ?? performance.now();
}

let isReported = true;

/**
 * The work of this thread in coarse steps, which requires no permission; undefined if the system does not report it.
 */
export function coarseMillis(): number | undefined {
  try {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  } catch {
    return undefined;
  }
}
