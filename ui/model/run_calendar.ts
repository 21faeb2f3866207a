/** The calendar of a schedule: its past runs and its next times, by days of a time zone. Pure. */
import { isoText } from "./duration.ts";
import { nextTimes } from "./schedule.ts";

/** The fields of a run that place it on a day. */
interface StartedRun {
  readonly status?: { readonly startedAt?: string | undefined } | undefined;
}

/** A day. */
export interface CalendarDay<R> {
  /** `2026-03-04` */
  readonly date: string;
  readonly isToday: boolean;
  readonly runs: readonly R[];
  /** The number of future times, up to the limit. */
  readonly planned: number;
  /** Whether there are more than that. */
  readonly isMore: boolean;
}

/** The content of a calendar. */
export interface CalendarContent<R> {
  readonly runs: readonly R[];
  readonly schedules: readonly string[];
  readonly timezone: string | undefined;
  /** The zone of the days. */
  readonly zone: string;
  readonly now: Date;
}

const DAY_MILLIS = 86_400_000;
const WEEKS_BEFORE = 2;
const WEEKS = 5;
/** The maximum number of times of a day that are counted. */
const MAX_TIMES = 24;
/** The step of the search for the end of a day, in milliseconds. Offsets of zones are multiples of it. */
const STEP_MILLIS = 900_000;

/** Returns five weeks from Monday on, of which the third is the current one. */
export function calendarOf<R extends StartedRun>(
  { runs, schedules, timezone, zone, now }: CalendarContent<R>,
): CalendarDay<R>[] {
  const dateOf = (time: Date | string) =>
    isoText(typeof time === "string" ? time : time.toISOString(), zone).slice(0, 10);
  const today = Date.parse(dateOf(now));
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const first = today - (sinceMonday + 7 * WEEKS_BEFORE) * DAY_MILLIS;
  const dates = Array.from(
    { length: 7 * WEEKS },
    (_, index) => new Date(first + index * DAY_MILLIS).toISOString().slice(0, 10),
  );
  const byDate = Map.groupBy(runs, ({ status }) => dateOf(status?.startedAt ?? ""));
  const planned = countPlannedRuns({ schedules, timezone, now }, dateOf, dates.at(-1)!);
  return dates.map((date) => ({
    date,
    isToday: date === dates[sinceMonday + 7 * WEEKS_BEFORE],
    runs: byDate.get(date) ?? [],
    planned: Math.min(MAX_TIMES, planned.get(date) ?? 0),
    isMore: (planned.get(date) ?? 0) > MAX_TIMES,
  }));
}

/** Counts the next times on each day up to a date; on a day with many, one more than the limit. */
function countPlannedRuns(
  { schedules, timezone, now }: Pick<CalendarContent<never>, "schedules" | "timezone" | "now">,
  dateOf: (time: Date) => string,
  last: string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let from = now;
  for (let day = 0; day <= 7 * WEEKS; day++) {
    const { times } = nextTimes(schedules, timezone, from, MAX_TIMES + 1);
    const [next] = times;
    if (!next) break;
    const date = dateOf(next);
    if (date > last) break;
    const own = times.filter((time) => dateOf(time) === date);
    counts.set(date, own.length);
    const end = own.at(-1)!;
    // The rest of a day with more times is left out.
    from = own.length === times.length ? lastSecondOf(date, end, dateOf) : end;
  }
  return counts;
}

/** Returns the last second of a date, given a time on it. */
function lastSecondOf(date: string, time: Date, dateOf: (time: Date) => string): Date {
  let low = time.getTime();
  while (dateOf(new Date(low + STEP_MILLIS)) === date) low += STEP_MILLIS;
  let high = low + STEP_MILLIS;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2);
    if (dateOf(new Date(middle)) === date) low = middle;
    else high = middle;
  }
  return new Date(low);
}
