/** Describes schedules in words, with the controller's parser. Pure. */
import { CronError, type Field } from "@tiphys/language/template/cron/field";
import { type CalendarFields, parseSchedule } from "@tiphys/language/template/cron/schedule";
import * as words from "./text/en/crons_page.ts";

/** The maximum number of times that are listed individually. */
const MAX_TIMES = 4;

/** Describes a schedule; returns undefined for an invalid one. */
export function scheduleWords(schedule: string): string | undefined {
  try {
    const { fields } = parseSchedule(schedule);
    return fields ? calendarWords(fields) : words.everyInterval(schedule.slice(schedule.indexOf("@every ") + 7));
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    return undefined;
  }
}

function calendarWords({ minute, hour, day, month, weekday }: CalendarFields): string {
  const time = timeWords(minute, hour);
  const days = daysWords(day, weekday);
  const isOften = hour.allowed.size === 24;
  const text = days !== undefined ? words.onDays(time, days) : isOften ? time : words.everyDay(time);
  if (month.allowed.size === 12) return text;
  return words.inMonths(text, rangesText(month, (month) => words.months[month - 1]!));
}

function timeWords(minute: Field, hour: Field): string {
  const [minutes, hours] = [sortedNumbers(minute), sortedNumbers(hour)];
  const [step, hourStep] = [stepOf(minutes, 60), stepOf(hours, 24)];
  if (hours.length === 24) {
    if (step === 1) return words.everyMinute;
    if (minutes.length === 1) return minutes[0] === 0 ? words.everyHour : words.everyHourAt(String(minutes[0]));
    return step === undefined ? words.everyHourAt(rangesText(minute, String)) : words.everyMinutes(step);
  }
  if (minutes.length * hours.length <= MAX_TIMES) {
    const times = hours.flatMap((h) => minutes.map((m) => `${twoDigits(h)}:${twoDigits(m)}`));
    return words.at(words.listText(times));
  }
  if (hourStep !== undefined && minutes.length === 1) return words.everyHours(hourStep, String(minutes[0]));
  return words.atMinutesOfHours(rangesText(minute, String), rangesText(hour, String));
}

/** Describes the days; undefined for every day. If both fields are set, a match of either is enough. */
function daysWords(day: Field, weekday: Field): string | undefined {
  const ofMonth = day.open ? undefined : words.ofTheMonth(rangesText(day, String));
  const ofWeek = weekday.open || weekday.allowed.size === 7
    ? undefined
    : rangesText(weekday, (day) => words.weekdays[day]!);
  if (ofMonth !== undefined && ofWeek !== undefined) return words.eitherOf(ofMonth, ofWeek);
  return ofMonth ?? ofWeek;
}

/** Returns the step of numbers that start at 0 and are evenly spaced to the end of their range, or undefined. */
function stepOf(numbers: readonly number[], end: number): number | undefined {
  const step = end / numbers.length;
  return numbers.every((number, index) => number === index * step) ? step : undefined;
}

function sortedNumbers({ allowed }: Field): number[] {
  return [...allowed].sort((a, b) => a - b);
}

/** Lists the numbers of a field; three or more consecutive ones are a range. */
function rangesText(field: Field, name: (number: number) => string): string {
  const runs: number[][] = [];
  for (const number of sortedNumbers(field)) {
    const last = runs.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else runs.push([number]);
  }
  return words.listText(
    runs.flatMap((run) => run.length < 3 ? run.map(name) : [words.range(name(run[0]!), name(run.at(-1)!))]),
  );
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
