/** The next times of schedules, computed with the controller's parser. Pure. */
import { CronError } from "@tiphys/language/template/cron/field";
import { GoZone } from "@tiphys/base/go/zone";
import { inTimezone, parseSchedule } from "@tiphys/language/template/cron/schedule";

/** Returns the time zone of a schedule if the browser knows it; otherwise UTC. */
export function shownZone(timezone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone || "UTC" }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

/** The next times of all schedules, or the problem of an invalid one. */
export interface NextTimes {
  readonly times: readonly Date[];
  readonly problem?: string | undefined;
}

/** Returns the next `count` times after `now`. */
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
      let time: Date | undefined = now;
      for (let found = 0; found < count && time !== undefined; found++) {
        time = schedule.next(time);
        if (time) times.add(time.getTime());
      }
    }
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return { times: [], problem: error.message };
  }
  return { times: [...times].sort((a, b) => a - b).slice(0, count).map((time) => new Date(time)) };
}

/** The times since the last scheduled run at which no run started: the first, the last, and the number. */
export interface MissedTimes {
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
  /** Whether there are more than the counted ones. */
  readonly isMore: boolean;
}

/** The maximum number of missed times that are counted. */
const MAX_MISSED = 100;
/** The maximum time that the start of a run may take before a time counts as missed. */
const DUE_MILLIS = 60_000;

/** Returns the missed times; undefined if no time was missed. */
export function missedTimes(
  schedules: readonly string[],
  timezone: string | undefined,
  lastScheduled: string | undefined,
  now: number,
): MissedTimes | undefined {
  const since = Date.parse(lastScheduled ?? "");
  if (Number.isNaN(since)) return undefined;
  const due = nextTimes(schedules, timezone, new Date(since), MAX_MISSED).times
    .filter((time) => time.getTime() < now - DUE_MILLIS);
  const [first] = due;
  if (!first) return undefined;
  return { count: due.length, first, last: due.at(-1)!, isMore: due.length === MAX_MISSED };
}

/** A clock change that skips or repeats times of a schedule. */
export interface ClockChange {
  /** The time of the change. */
  readonly at: Date;
  readonly kind: "skipped" | "doubled";
  /** The local times that are skipped or repeated, `02:30`, up to a limit; `isMore` if there are more. */
  readonly times: readonly string[];
  readonly isMore: boolean;
}

const DAY = 86_400;
/** The maximum number of days that are searched, and how many times of a change are listed. */
const DAYS_AHEAD = 360;
const MAX_NAMED = 5;

/** Returns the next clock changes that affect the schedules, in order. */
export function clockChanges(schedules: readonly string[], timezone: string | undefined, now: Date): ClockChange[] {
  const changes = new Map<string, ClockChange>();
  for (const text of schedules) {
    const fields = fieldsOf(text, timezone);
    if (!fields) continue;
    // The same calendar in UTC yields the intended local times.
    const clock = parseSchedule(text.replace(/^(CRON_)?TZ=\S+\s+/, ""));
    for (const { at, before, after } of offsetChanges(fields.zone, Math.floor(now.getTime() / 1000))) {
      const [from, to] = [at + Math.min(before, after), at + Math.max(before, after)];
      const times: string[] = [];
      for (
        let time = clock.next(new Date((from - 1) * 1000));
        time && times.length <= MAX_NAMED;
        time = clock.next(time)
      ) {
        if (time.getTime() >= to * 1000) break;
        times.push(time.toISOString().slice(11, 16));
      }
      const kind = after > before ? "skipped" : "doubled";
      if (times.length === 0) continue;
      const key = `${at} ${kind}`;
      const known = changes.get(key)?.times ?? [];
      const all = [...new Set([...known, ...times])].sort();
      changes.set(key, {
        at: new Date(at * 1000),
        kind,
        times: all.slice(0, MAX_NAMED),
        isMore: all.length > MAX_NAMED,
      });
    }
  }
  return [...changes.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function fieldsOf(text: string, timezone: string | undefined) {
  try {
    return parseSchedule(inTimezone(text, timezone)).fields;
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return undefined;
  }
}

/** Yields the offset changes of a zone, to the second. */
function* offsetChanges(zone: GoZone, from: number): Generator<{ at: number; before: number; after: number }> {
  if (zone === GoZone.UTC) return;
  let before = zone.at(from).seconds;
  for (let day = 1; day <= DAYS_AHEAD; day++) {
    const after = zone.at(from + day * DAY).seconds;
    if (after === before) continue;
    let [low, high] = [from + (day - 1) * DAY, from + day * DAY];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (zone.at(middle).seconds === before) low = middle;
      else high = middle;
    }
    yield { at: high, before, after };
    before = after;
  }
}
