/**
 * Cron schedules: five fields, `@daily` and its like, `@every 90s`, each with an optional `CRON_TZ=` in front.
 *
 * A time that clocks skip does not come that day; one they show twice comes twice. When both day fields are set either
 * of them is enough.
 */
import { DurationError, parseDuration, SECOND } from "../../go/duration.ts";
import { fields, trimSpace } from "../../go/text.ts";
import { type CivilTime, GoTime } from "../../go/time.ts";
import { GoZone, ZoneError } from "../../go/zone.ts";
import { nearestName } from "../../nearest_name.ts";
import type { Place } from "../place.ts";
import { CronError, expectation, type Field, type FieldRule, parseField } from "./field.ts";

/** A schedule that was read. */
export interface Schedule {
  /** The first instant after `time`; undefined when there is none within five years. */
  next(time: Date): Date | undefined;
  /** The seconds between two times, of a schedule that has no calendar: whoever keeps it says where it begins. */
  readonly everySeconds?: number;
  /** The clock times that it allows, and the zone of that clock, of a schedule that has a calendar. */
  readonly fields?: CalendarFields;
}

const MINUTE: FieldRule = { field: "minute", least: 0, most: 59 };
const HOUR: FieldRule = { field: "hour", least: 0, most: 23 };
const DAY: FieldRule = { field: "day of the month", least: 1, most: 31 };
const MONTH: FieldRule = {
  field: "month",
  least: 1,
  most: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: FieldRule = {
  field: "day of the week",
  least: 0,
  most: 6,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const MACROS: { readonly [name: string]: string } = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** A schedule with the time zone of its cron workflow in front, as it is recorded and read. */
export function inTimezone(schedule: string, timezone: string | undefined): string {
  return timezone ? `CRON_TZ=${timezone} ${schedule}` : schedule;
}

/**
 * Reads a schedule; one that names no time zone is meant in `local`.
 * @throws {CronError}
 */
export function parseSchedule(text: string, local: GoZone = GoZone.UTC): Schedule {
  if (text === "") throw new CronError("empty spec string", { place: { source: text, offset: 0, hint: FIELDS } });
  const { zone, rest } = takeZone(text, local);
  const offset = text.lastIndexOf(rest);
  if (rest.startsWith("@every ")) return new Interval(parseInterval(rest, { source: text, offset }));
  const spec = rest.startsWith("@") ? Object.hasOwn(MACROS, rest) ? MACROS[rest] : undefined : rest;
  if (spec === undefined) {
    const nearest = nearestName(rest, [...Object.keys(MACROS), "@every"]);
    const hint = nearest === undefined
      ? `expected @every or ${Object.keys(MACROS).join(", ")}`
      : `did you mean ${nearest}?`;
    throw new CronError(`unrecognized descriptor: ${rest}`, { place: { source: text, offset, hint } });
  }
  return calendar(spec, zone, { source: text, offset });
}

const FIELDS = "expected minute, hour, day of the month, month and day of the week";

function calendar(spec: string, zone: GoZone, { source, offset }: Place): Calendar {
  const found = fields(spec);
  const [minute, hour, day, month, weekday, ...more] = found;
  const isWhole = minute !== undefined && hour !== undefined && day !== undefined && month !== undefined;
  if (!isWhole || weekday === undefined || more.length > 0) {
    const reason = `expected exactly 5 fields, found ${found.length}: [${found.join(" ")}]`;
    throw new CronError(reason, { place: { source, offset, hint: FIELDS } });
  }
  let at = offset;
  const next = (text: string, rule: FieldRule) => {
    at = source.indexOf(text, at);
    const field = readField(text, rule, { source, offset: at });
    at += text.length;
    return field;
  };
  return new Calendar({
    zone,
    minute: next(minute, MINUTE),
    hour: next(hour, HOUR),
    day: next(day, DAY),
    month: next(month, MONTH),
    weekday: next(weekday, WEEKDAY),
  });
}

function readField(text: string, rule: FieldRule, place: Place): Field {
  try {
    return parseField(text, rule);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw new CronError(error.reason, { cause: error, place: { ...place, hint: expectation(rule) } });
  }
}

function takeZone(text: string, local: GoZone): { zone: GoZone; rest: string } {
  const prefix = /^(CRON_)?TZ=/.exec(text)?.[0];
  if (prefix === undefined) return { zone: local, rest: text };
  const end = text.indexOf(" ");
  if (end < 0) {
    const place = { source: text, offset: prefix.length, hint: "expected a space and a schedule after it" };
    throw new CronError(`Expected a schedule after the time zone, got "${text}"`, { place });
  }
  const name = text.slice(prefix.length, end);
  try {
    return { zone: name === "Local" ? local : GoZone.load(name), rest: trimSpace(text.slice(end)) };
  } catch (error) {
    if (!(error instanceof ZoneError)) throw error;
    const nearest = nearestName(name, Intl.supportedValuesOf("timeZone"));
    const hint = nearest === undefined ? "expected a name such as Europe/Berlin" : `did you mean ${nearest}?`;
    throw new CronError(`provided bad location ${name}: ${error.message}`, {
      cause: error,
      place: { source: text, offset: prefix.length, hint },
    });
  }
}

function parseInterval(text: string, { source, offset }: Place): number {
  try {
    const seconds = parseDuration(text.slice("@every ".length)) / SECOND;
    return seconds < 1n ? 1 : Number(seconds);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new CronError(`failed to parse duration ${text}: ${error.message}`, {
      cause: error,
      place: { source, offset: offset + "@every ".length, hint: "expected a duration such as 90s or 1h30m" },
    });
  }
}

/** Every so many whole seconds, counted from the last time. */
class Interval implements Schedule {
  constructor(readonly everySeconds: number) {}

  next(time: Date): Date {
    return new Date((Math.floor(time.getTime() / 1000) + this.everySeconds) * 1000);
  }
}

/** The fields of a calendar, each with the numbers that it allows. */
export interface CalendarFields {
  readonly zone: GoZone;
  readonly minute: Field;
  readonly hour: Field;
  readonly day: Field;
  readonly month: Field;
  readonly weekday: Field;
}

/**
 * One unit of the calendar, such as the month: whether a time fits the schedule in it, and the steps to a later time.
 */
interface Unit {
  readonly fits: (time: GoTime, civil: CivilTime) => boolean;
  /** Back to the start of this unit; the local clock is read anew. */
  readonly floor: (time: GoTime, civil: CivilTime) => GoTime;
  readonly step: (time: GoTime, civil: CivilTime) => GoTime;
  /** Whether stepping came to the start of the next larger unit; absent of the largest. */
  readonly wrapped?: (civil: CivilTime) => boolean;
}

const YEARS_AHEAD = 5;

/** Local wall-clock times. */
class Calendar implements Schedule {
  private readonly units: readonly Unit[];

  constructor(readonly fields: CalendarFields) {
    this.units = [this.months(), this.days(), this.hours(), this.minutes(), WHOLE_MINUTE];
  }

  next(time: Date): Date | undefined {
    const { minute, hour, month } = this.fields;
    if ([minute, hour, month].some(({ allowed }) => allowed.size === 0)) return undefined;
    let at = new GoTime(Math.floor(time.getTime() / 1000) + 1, 0, this.fields.zone);
    const lastYear = at.civil().year + YEARS_AHEAD;
    let floored = false;
    let index = 0;
    for (let unit = this.units[index]; unit !== undefined; unit = this.units[index]) {
      let civil = at.civil();
      if (unit.fits(at, civil)) {
        index++;
        continue;
      }
      if (!floored) civil = (at = unit.floor(at, civil)).civil();
      floored = true;
      at = unit.step(at, civil);
      civil = at.civil();
      if (civil.year > lastYear) return undefined;
      // A larger unit has moved on and may no longer fit.
      if (unit.wrapped?.(civil)) index = 0;
    }
    return new Date(at.seconds * 1000);
  }

  private months(): Unit {
    const { allowed } = this.fields.month;
    return {
      fits: (_, { month }) => allowed.has(month),
      floor: (_, { year, month }) => this.midnight(year, month, 1),
      step: (time) => time.addDate(0, 1, 0),
    };
  }

  private days(): Unit {
    const { day, weekday } = this.fields;
    return {
      fits: (time, civil) => {
        const ofMonth = day.allowed.has(civil.day);
        const ofWeek = weekday.allowed.has(time.weekday);
        return day.open || weekday.open ? ofMonth && ofWeek : ofMonth || ofWeek;
      },
      floor: (_, civil) => this.midnight(civil.year, civil.month, civil.day),
      step: (time) => toMidnight(nextDay(time)),
      wrapped: (civil) => civil.day === 1,
    };
  }

  private hours(): Unit {
    const { allowed } = this.fields.hour;
    return {
      fits: (_, { hour }) => allowed.has(hour),
      floor: (_, civil) => GoTime.fromCivil({ ...civil, minute: 0, second: 0 }, this.fields.zone),
      step: (time) => later(time, 3600),
      wrapped: ({ hour }) => hour === 0,
    };
  }

  private minutes(): Unit {
    const { allowed } = this.fields.minute;
    return {
      fits: (_, { minute }) => allowed.has(minute),
      floor: (time) => later(time, -(time.seconds % 60)),
      step: (time) => later(time, 60),
      wrapped: ({ minute }) => minute === 0,
    };
  }

  private midnight(year: number, month: number, day: number): GoTime {
    return GoTime.fromCivil({ year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 }, this.fields.zone);
  }
}

const WHOLE_MINUTE: Unit = {
  fits: (_, { second }) => second === 0,
  floor: (time) => time,
  step: (time) => later(time, 1),
  wrapped: ({ second }) => second === 0,
};

function later(time: GoTime, seconds: number): GoTime {
  return new GoTime(time.seconds + seconds, 0, time.zone);
}

/** The same clock time on the next day that the place has: some have skipped one to change sides of the date line. */
function nextDay(time: GoTime): GoTime {
  const tomorrow = time.addDate(0, 0, 1);
  return tomorrow.seconds > time.seconds ? tomorrow : time.addDate(0, 0, 2);
}

/** The midnight nearest to a time, which misses midnight by some whole hours where clocks changed during the day. */
function toMidnight(time: GoTime): GoTime {
  const { hour } = time.civil();
  return later(time, 3600 * (hour > 12 ? 24 - hour : -hour));
}
