/**
 * Cron schedules: five fields, descriptors such as `@daily`, and `@every 90s`, each with an optional `CRON_TZ=` prefix.
 *
 * A time that clocks skip does not occur that day; a time that clocks show twice occurs twice. If both day fields are
 * set, either of them is sufficient.
 */
import { DurationError, parseDuration, SECOND } from "@tiphys/base/go/duration";
import { fields, trimSpace } from "@tiphys/base/go/text";
import { type CivilTime, GoTime } from "@tiphys/base/go/time";
import { GoZone, ZoneError } from "@tiphys/base/go/zone";
import { LIMITS } from "@tiphys/base/limits";
import { nearestName } from "@tiphys/base/nearest_name";
import type { SourceLocation } from "../place.ts";
import { acceptedValues, CronError, type Field, type FieldRule, parseField } from "./field.ts";

/** A parsed schedule. */
export interface Schedule {
  /**
   * Returns the first time after `time`; undefined if no time within five years matches. `onStep` is called for each
   * step of the search, up to about a hundred times.
   */
  next(time: Date, onStep?: () => void): Date | undefined;
  /** Whether no date of any year matches, such as February 31. */
  readonly neverFires: boolean;
  /** The seconds between two times of a schedule without a calendar. The caller stores the start time. */
  readonly intervalSeconds?: number;
  /** The clock times and the time zone of a schedule with a calendar. */
  readonly fields?: CalendarFields;
}

const MINUTE: FieldRule = { field: "minute", min: 0, max: 59 };
const HOUR: FieldRule = { field: "hour", min: 0, max: 23 };
const DAY: FieldRule = { field: "day of the month", min: 1, max: 31 };
const MONTH: FieldRule = {
  field: "month",
  min: 1,
  max: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: FieldRule = {
  field: "day of the week",
  min: 0,
  max: 6,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const DESCRIPTORS: { readonly [name: string]: string } = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Prefixes a schedule with the time zone of its cron workflow, as it is recorded and parsed. */
export function inTimezone(schedule: string, timezone: string | undefined): string {
  return timezone ? `CRON_TZ=${timezone} ${schedule}` : schedule;
}

/**
 * Parses a schedule. `local` is the zone of a schedule without a time zone.
 * @throws {CronError}
 */
export function parseSchedule(text: string, local: GoZone = GoZone.UTC): Schedule {
  if (text === "") {
    throw new CronError("empty spec string", { place: { source: text, offset: 0, hint: EXPECTED_FIELDS } });
  }
  if (text.length > LIMITS.scheduleCharacters) {
    throw new CronError(`a schedule may have ${LIMITS.scheduleCharacters} characters, this one has ${text.length}`);
  }
  const { zone, cronText } = splitTimeZone(text, local);
  const offset = text.lastIndexOf(cronText);
  if (cronText.startsWith("@every ")) return new Interval(parseInterval(cronText, { source: text, offset }));
  const spec = cronText.startsWith("@")
    ? Object.hasOwn(DESCRIPTORS, cronText) ? DESCRIPTORS[cronText] : undefined
    : cronText;
  if (spec === undefined) {
    const nearest = nearestName(cronText, [...Object.keys(DESCRIPTORS), "@every"]);
    const hint = nearest === undefined
      ? `expected @every or ${Object.keys(DESCRIPTORS).join(", ")}`
      : `did you mean ${nearest}?`;
    throw new CronError(`unrecognized descriptor: ${cronText}`, { place: { source: text, offset, hint } });
  }
  return parseCalendar(spec, zone, { source: text, offset });
}

const EXPECTED_FIELDS = "expected minute, hour, day of the month, month and day of the week";

function parseCalendar(spec: string, zone: GoZone, { source, offset }: SourceLocation): Calendar {
  const found = fields(spec);
  const [minute, hour, day, month, weekday, ...more] = found;
  const isWhole = minute !== undefined && hour !== undefined && day !== undefined && month !== undefined;
  if (!isWhole || weekday === undefined || more.length > 0) {
    const reason = `expected exactly 5 fields, found ${found.length}: [${found.join(" ")}]`;
    throw new CronError(reason, { place: { source, offset, hint: EXPECTED_FIELDS } });
  }
  let position = offset;
  const next = (text: string, rule: FieldRule) => {
    position = source.indexOf(text, position);
    const field = parseFieldAt(text, rule, { source, offset: position });
    position += text.length;
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

function parseFieldAt(text: string, rule: FieldRule, place: SourceLocation): Field {
  try {
    return parseField(text, rule);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw new CronError(error.reason, { cause: error, place: { ...place, hint: acceptedValues(rule) } });
  }
}

function splitTimeZone(text: string, local: GoZone): { zone: GoZone; cronText: string } {
  const prefix = /^(CRON_)?TZ=/.exec(text)?.[0];
  if (prefix === undefined) return { zone: local, cronText: text };
  const end = text.indexOf(" ");
  if (end < 0) {
    const place = { source: text, offset: prefix.length, hint: "expected a space and a schedule after it" };
    throw new CronError(`Expected a schedule after the time zone, got "${text}"`, { place });
  }
  const name = text.slice(prefix.length, end);
  try {
    return { zone: name === "Local" ? local : GoZone.load(name), cronText: trimSpace(text.slice(end)) };
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

function parseInterval(text: string, { source, offset }: SourceLocation): number {
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

/** A fixed number of whole seconds after the last time. */
class Interval implements Schedule {
  readonly neverFires = false;

  constructor(readonly intervalSeconds: number) {}

  next(time: Date): Date {
    return new Date((Math.floor(time.getTime() / 1000) + this.intervalSeconds) * 1000);
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

/** One unit of the calendar, such as the month: whether a time matches in this unit, and the steps to a later time. */
interface Unit {
  readonly matches: (time: GoTime, civil: CivilTime) => boolean;
  /** Returns the start of this unit in the local clock. */
  readonly floor: (time: GoTime, civil: CivilTime) => GoTime;
  readonly step: (time: GoTime, civil: CivilTime) => GoTime;
  /** Whether a step reached the start of the next larger unit; undefined for the largest unit. */
  readonly hasWrapped?: (civil: CivilTime) => boolean;
}

const MAX_YEARS_AHEAD = 5;
const LEAP_YEAR = 2000;

/** Local wall-clock times. */
class Calendar implements Schedule {
  readonly neverFires: boolean;
  private readonly units: readonly Unit[];

  constructor(readonly fields: CalendarFields) {
    this.units = [this.months(), this.days(), this.hours(), this.minutes(), WHOLE_MINUTE];
    const { minute, hour, day, month, weekday } = fields;
    const hasDate = [...month.allowed].some((candidate) =>
      [...day.allowed].some((date) => date <= daysIn(LEAP_YEAR, candidate))
    );
    // Over the years each date falls on every day of the week.
    const isEither = !day.open && !weekday.open;
    const hasMatchingDay = isEither
      ? hasDate || month.allowed.size > 0 && weekday.allowed.size > 0
      : hasDate && weekday.allowed.size > 0;
    this.neverFires = minute.allowed.size === 0 || hour.allowed.size === 0 || !hasMatchingDay;
  }

  next(time: Date, onStep?: () => void): Date | undefined {
    if (this.neverFires) return undefined;
    let candidate = new GoTime(Math.floor(time.getTime() / 1000) + 1, 0, this.fields.zone);
    const lastYear = candidate.civil().year + MAX_YEARS_AHEAD;
    let floored = false;
    let index = 0;
    for (let unit = this.units[index]; unit !== undefined; unit = this.units[index]) {
      onStep?.();
      let civil = candidate.civil();
      if (unit.matches(candidate, civil)) {
        index++;
        continue;
      }
      if (!floored) civil = (candidate = unit.floor(candidate, civil)).civil();
      floored = true;
      candidate = unit.step(candidate, civil);
      civil = candidate.civil();
      if (civil.year > lastYear) return undefined;
      // A larger unit has changed and may no longer match.
      if (unit.hasWrapped?.(civil)) index = 0;
    }
    return new Date(candidate.seconds * 1000);
  }

  private months(): Unit {
    const { allowed } = this.fields.month;
    return {
      // A month without a matching day is skipped at once: checking each of its days in its zone takes a hundred times
      // as long.
      matches: (_, { year, month }) => allowed.has(month) && this.hasMatchingDay(year, month),
      floor: (_, { year, month }) => this.midnight(year, month, 1),
      step: (time) => time.addDate(0, 1, 0),
    };
  }

  /** Whether a month has a matching day. */
  private hasMatchingDay(year: number, month: number): boolean {
    return this.daysToNext(year, month, 0) <= daysIn(year, month);
  }

  /**
   * Returns the days from a day of a month to the next matching one of the month, else to the first of the next month.
   */
  private daysToNext(year: number, month: number, day: number): number {
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    const left = daysIn(year, month) - day;
    for (let days = 1; days <= left; days++) if (this.isMatchingDay(day + days, (weekday + days) % 7)) return days;
    return left + 1;
  }

  private isMatchingDay(dayOfMonth: number, dayOfWeek: number): boolean {
    const { day, weekday } = this.fields;
    const ofMonth = day.allowed.has(dayOfMonth);
    const ofWeek = weekday.allowed.has(dayOfWeek);
    return day.open || weekday.open ? ofMonth && ofWeek : ofMonth || ofWeek;
  }

  private days(): Unit {
    return {
      matches: (time, civil) => this.isMatchingDay(civil.day, time.weekday),
      floor: (_, civil) => this.midnight(civil.year, civil.month, civil.day),
      step: (time, { year, month, day }) => toMidnight(addDays(time, this.daysToNext(year, month, day))),
      hasWrapped: (civil) => civil.day === 1,
    };
  }

  private hours(): Unit {
    const { allowed } = this.fields.hour;
    return {
      matches: (_, { hour }) => allowed.has(hour),
      floor: (_, civil) => GoTime.fromCivil({ ...civil, minute: 0, second: 0 }, this.fields.zone),
      step: (time, { hour }) => addClockUnits(time, 3600, stepsToNext(allowed, hour, 24)),
      hasWrapped: ({ hour }) => hour === 0,
    };
  }

  private minutes(): Unit {
    const { allowed } = this.fields.minute;
    return {
      matches: (_, { minute }) => allowed.has(minute),
      floor: (time) => addSeconds(time, -(time.seconds % 60)),
      step: (time, { minute }) => addClockUnits(time, 60, stepsToNext(allowed, minute, 60)),
      hasWrapped: ({ minute }) => minute === 0,
    };
  }

  private midnight(year: number, month: number, day: number): GoTime {
    return GoTime.fromCivil({ year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 }, this.fields.zone);
  }
}

const WHOLE_MINUTE: Unit = {
  matches: (_, { second }) => second === 0,
  floor: (time) => time,
  step: (time, { second }) => addClockUnits(time, 1, 60 - second),
  hasWrapped: ({ second }) => second === 0,
};

function addSeconds(time: GoTime, seconds: number): GoTime {
  return new GoTime(time.seconds + seconds, 0, time.zone);
}

/** Adds units of a clock to a time; only one unit if the zone's offset changes in between. */
function addClockUnits(time: GoTime, seconds: number, count: number): GoTime {
  const all = addSeconds(time, seconds * count);
  const isEven = time.zone.secondsAt(all.seconds) === time.zone.secondsAt(time.seconds);
  return isEven ? all : addSeconds(time, seconds);
}

/** Returns the steps from a number to the next allowed one, else to the end of the larger unit. */
function stepsToNext(allowed: ReadonlySet<number>, from: number, end: number): number {
  let to = from + 1;
  while (to < end && !allowed.has(to)) to++;
  return to - from;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the same clock time some days later; one more day if the zone skipped that day by crossing the date line. */
function addDays(time: GoTime, days: number): GoTime {
  const day = time.addDate(0, 0, days);
  return day.seconds > time.seconds ? day : time.addDate(0, 0, days + 1);
}

/**
 * Returns the start of a time's day. A change of clocks during the day shifts the time by whole hours, which is
 * corrected. If midnight is skipped, the day starts with the time itself.
 */
function toMidnight(time: GoTime): GoTime {
  const { hour, day } = time.civil();
  const midnight = addSeconds(time, 3600 * (hour > 12 ? 24 - hour : -hour));
  return hour <= 12 && midnight.civil().day !== day ? time : midnight;
}
