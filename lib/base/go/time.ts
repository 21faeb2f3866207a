/** Go's `time.Time`: an instant in nanoseconds with a zone. */
import { type CalendarDate, civilFromDays, daysFromCivil } from "./calendar.ts";
import { SECOND } from "./duration.ts";
import { GoZone, type ZoneOffset } from "./zone.ts";
import { MAX_INT64, MIN_INT64 } from "./number.ts";

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The English name of a month from 1 to 12; empty for any other number. */
export function monthName(month: number): string {
  return MONTHS[month - 1] ?? "";
}

/** The English name of a day of the week from 0, Sunday, to 6; empty for any other number. */
export function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday] ?? "";
}

/** The fields of a clock and calendar. */
export interface CivilTime extends CalendarDate {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
}

const DAY_SECONDS = 86_400;
/** Unix seconds of 0001-01-01T00:00:00Z, Go's zero time. */
const ZERO_SECONDS = -62_135_596_800;

/** Go's `time.Time`. Immutable. */
export class GoTime {
  /** `seconds` since the epoch (any integer), `nanosecond` within the second (0 to 999,999,999). */
  constructor(readonly seconds: number, readonly nanosecond = 0, readonly zone: GoZone = GoZone.UTC) {}

  static readonly ZERO: GoTime = new GoTime(ZERO_SECONDS);

  /** The current time with a precision of milliseconds. */
  static now(): GoTime {
    return GoTime.fromMilliseconds(Date.now());
  }

  static fromMilliseconds(milliseconds: number): GoTime {
    const seconds = Math.floor(milliseconds / 1000);
    return new GoTime(seconds, Math.round((milliseconds - seconds * 1000) * 1e6));
  }

  /**
   * `time.Date`: fields out of range are carried over (month 13 is next January); local times are resolved as in Go.
   */
  static fromCivil(civil: CivilTime, zone: GoZone = GoZone.UTC): GoTime {
    const carry = Math.floor(civil.nanosecond / 1e9);
    const nanosecond = civil.nanosecond - carry * 1e9;
    const days = daysFromCivil(civil.year, civil.month, civil.day);
    const local = days * DAY_SECONDS + civil.hour * 3600 + civil.minute * 60 + civil.second + carry;
    return new GoTime(zone.toUnix(local), nanosecond, zone);
  }

  get offset(): ZoneOffset {
    return this.zone.at(this.seconds);
  }

  /** Returns the date and time of day in the zone. */
  civil(): CivilTime {
    const local = this.seconds + this.zone.secondsAt(this.seconds);
    const days = Math.floor(local / DAY_SECONDS);
    const rest = local - days * DAY_SECONDS;
    return {
      ...civilFromDays(days),
      hour: Math.trunc(rest / 3600),
      minute: Math.trunc((rest % 3600) / 60),
      second: rest % 60,
      nanosecond: this.nanosecond,
    };
  }

  /** 0 for Sunday. */
  get weekday(): number {
    const days = Math.floor((this.seconds + this.zone.secondsAt(this.seconds)) / DAY_SECONDS);
    return (((days + 4) % 7) + 7) % 7;
  }

  /** 1 for the first of January. */
  get yearDay(): number {
    const { year, month, day } = this.civil();
    return daysFromCivil(year, month, day) - daysFromCivil(year, 1, 1) + 1;
  }

  /** ISO 8601's year and week. */
  isoWeek(): { year: number; week: number } {
    const { year, month, day } = this.civil();
    const days = daysFromCivil(year, month, day);
    // The week belongs to the year of its Thursday.
    const thursday = days - ((this.weekday + 6) % 7) + 3;
    const thursdayYear = civilFromDays(thursday).year;
    return { year: thursdayYear, week: Math.floor((thursday - daysFromCivil(thursdayYear, 1, 1)) / 7) + 1 };
  }

  in(zone: GoZone): GoTime {
    return new GoTime(this.seconds, this.nanosecond, zone);
  }

  /** Adds a duration in nanoseconds. */
  add(nanoseconds: bigint): GoTime {
    const total = BigInt(this.nanosecond) + nanoseconds;
    const rest = ((total % SECOND) + SECOND) % SECOND;
    return new GoTime(this.seconds + Number((total - rest) / SECOND), Number(rest), this.zone);
  }

  /** Adds calendar fields; days are carried over into months. */
  addDate(years: number, months: number, days: number): GoTime {
    const civil = this.civil();
    const moved = { ...civil, year: civil.year + years, month: civil.month + months, day: civil.day + days };
    return GoTime.fromCivil(moved, this.zone);
  }

  /** Returns the nanoseconds from the other time to this one, clamped to int64 as in Go. */
  since(other: GoTime): bigint {
    const gap = BigInt(this.seconds - other.seconds) * SECOND + BigInt(this.nanosecond - other.nanosecond);
    return gap > MAX_INT64 ? MAX_INT64 : gap < MIN_INT64 ? MIN_INT64 : gap;
  }

  compare(other: GoTime): number {
    return this.seconds - other.seconds || this.nanosecond - other.nanosecond;
  }

  get isZero(): boolean {
    return this.seconds === ZERO_SECONDS && this.nanosecond === 0;
  }

  /** `Truncate`: rounds down to a multiple of the duration since Go's zero time. */
  truncate(nanoseconds: bigint): GoTime {
    return nanoseconds <= 0n ? this : this.add(-this.remainder(nanoseconds));
  }

  /** `Round`: rounds to the nearest multiple, halves up. */
  round(nanoseconds: bigint): GoTime {
    if (nanoseconds <= 0n) return this;
    const rest = this.remainder(nanoseconds);
    return this.add(rest * 2n < nanoseconds ? -rest : nanoseconds - rest);
  }

  private remainder(nanoseconds: bigint): bigint {
    const since = BigInt(this.seconds - ZERO_SECONDS) * SECOND + BigInt(this.nanosecond);
    return ((since % nanoseconds) + nanoseconds) % nanoseconds;
  }

  unixNanoseconds(): bigint {
    return BigInt.asIntN(64, BigInt(this.seconds) * SECOND + BigInt(this.nanosecond));
  }
}
