/** The clock of a pass, which does not count the time that other programs had the machine. */
import process from "node:process";

/**
 * A clock for the work of a pass in the fast lane. On an overloaded machine, most of the time may belong to other
 * programs, which is not the fault of the workflow: it is subtracted as soon as it matters. The system's figure is
 * read once for the passes that start within some milliseconds, because reading it costs as much as a tenth of a short
 * pass.
 */
export class WorkClock {
  readonly #began = performance.now();
  readonly #work = recentThreadMillis();
  readonly #limit: number;
  #waited = 0;
  #last = 0;

  /** `limit`: from how many milliseconds the results matter. */
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
 * How long a reading is used, in milliseconds. All time since then counts as work, so a pass may take that much
 * longer.
 */
const VALIDITY_MILLIS = 5;
let read: { readonly at: number; readonly work: number } | undefined;

/** {@link threadMillis}, or at most {@link VALIDITY_MILLIS} more. */
function recentThreadMillis(): number {
  const at = performance.now();
  if (read && at >= read.at && at - read.at < VALIDITY_MILLIS) return read.work + (at - read.at);
  const work = threadMillis();
  read = { at, work };
  return work;
}

/**
 * Milliseconds of work of this thread, if the system reports them: exact if all of it may be read, which needs
 * permissions that a controller may not have, otherwise in steps of some milliseconds. Otherwise the time that has
 * passed.
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

/** The same in coarse steps, which needs no permission; undefined if the system does not report it. */
export function coarseMillis(): number | undefined {
  try {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  } catch {
    return undefined;
  }
}
