/** The proleptic Gregorian calendar for any year: converts dates to days since 1970-01-01 and back. */

/** A date. */
export interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Days in 400 years, the period of the calendar. */
const ERA_DAYS = 146_097;
/** Days from 0000-03-01, the start of the first year of this computation, to 1970-01-01. */
const EPOCH_DAYS = 719_468;

/** Returns the days since 1970-01-01 of a date; months and days out of range are carried over. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years start in March here, so that the leap day is the last day of a year.
  const months = year * 12 + month - 3;
  const marchYear = Math.floor(months / 12);
  const inYear = Math.floor((153 * (months - marchYear * 12) + 2) / 5);
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + inYear + day - 1 - EPOCH_DAYS;
}

/** Returns the date that is `days` days after 1970-01-01. */
export function civilFromDays(days: number): CalendarDate {
  const era = Math.floor((days + EPOCH_DAYS) / ERA_DAYS);
  const inEra = days + EPOCH_DAYS - era * ERA_DAYS;
  const leapDays = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / 146_096);
  const marchYear = Math.floor((inEra - leapDays) / 365);
  const inYear = inEra - (marchYear * 365 + Math.floor(marchYear / 4) - Math.floor(marchYear / 100));
  const marchMonth = Math.floor((5 * inYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + marchYear + (month <= 2 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}
