/** The next times of schedules, by the same reading as the controller's. Pure. */
import { CronError } from "../../lib/template/cron/field.ts";
import { inTimezone, parseSchedule } from "../../lib/template/cron/schedule.ts";

/** The next times of all schedules together, or why one of them cannot be read. */
export interface NextTimes {
  readonly times: readonly Date[];
  readonly problem?: string | undefined;
}

/** The next so many times after `now`. */
export function nextTimes(
  schedules: readonly string[],
  timezone: string | undefined,
  now: Date,
  count: number,
): NextTimes {
  const times = new Set<number>();
  try {
    for (const text of schedules) {
      const schedule = parseSchedule(inTimezone(text, timezone));
      let at: Date | undefined = now;
      for (let found = 0; found < count && at !== undefined; found++) {
        at = schedule.next(at);
        if (at) times.add(at.getTime());
      }
    }
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return { times: [], problem: error.message };
  }
  return { times: [...times].sort((a, b) => a - b).slice(0, count).map((time) => new Date(time)) };
}
