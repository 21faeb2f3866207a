import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { GoTime } from "@tiphys/base/go/time";
import { GoZone } from "@tiphys/base/go/zone";
import { CronError } from "./field.ts";
import { type CalendarFields, inTimezone, parseSchedule } from "./schedule.ts";

function next(schedule: string, from: string, count = 1): string[] {
  const parsed = parseSchedule(schedule);
  const found: string[] = [];
  for (let time: Date | undefined = new Date(from); time && found.length < count;) {
    time = parsed.next(time);
    if (time) found.push(time.toISOString().slice(0, 16));
  }
  return found;
}

Deno.test("next: returns a time strictly after the given time", () => {
  assertEquals(next("0 0 * * *", "2024-02-28T00:00:00Z"), ["2024-02-29T00:00"]);
  assertEquals(next("* * * * *", "2024-02-28T10:07:33Z"), ["2024-02-28T10:08"]);
});

Deno.test("parseSchedule: rejects a schedule that is too long to be parsed in the main thread", () => {
  const everyMinute = Array.from({ length: 60 }, (_, minute) => `${minute}-59/${60 - minute}`).join(",");
  assertEquals(next(`${everyMinute} * * * *`, "2024-01-01T00:00:00Z"), ["2024-01-01T00:01"]);
  const message = "a schedule may have 1000 characters, this one has 2009";
  assertThrows(() => parseSchedule(`${"1,".repeat(1000)}1 * * * *`), CronError, message);
});

Deno.test("parseSchedule: fields have lists, ranges, steps and names", () => {
  assertEquals(next("*/20 9-17/4 * JAN,mar MON-FRI", "2024-01-06T00:00:00Z", 4), [
    "2024-01-08T09:00",
    "2024-01-08T09:20",
    "2024-01-08T09:40",
    "2024-01-08T13:00",
  ]);
});

Deno.test("parseSchedule: accepts names in any case", () => {
  assertEquals(next("0 0 * * FRİ", "2024-09-01T00:00:00Z"), ["2024-09-06T00:00"]);
});

Deno.test("parseSchedule: if both day fields are set, either is sufficient", () => {
  assertEquals(next("0 0 13 * FRI", "2024-09-01T00:00:00Z", 3), [
    "2024-09-06T00:00",
    "2024-09-13T00:00",
    "2024-09-20T00:00",
  ]);
});

Deno.test("parseSchedule: if one day field matches every day, only the other day field is used", () => {
  assertEquals(next("0 0 1 * ?", "2024-09-02T00:00:00Z"), ["2024-10-01T00:00"]);
});

Deno.test("parseSchedule: accepts descriptors, and an interval in seconds from the last time", () => {
  assertEquals(next("@monthly", "2024-01-15T00:00:00Z"), ["2024-02-01T00:00"]);
  assertEquals(next("@every 90m", "2024-01-01T00:00:30Z", 2), ["2024-01-01T01:30", "2024-01-01T03:00"]);
});

Deno.test("next: returns undefined for a date that does not occur within five years", () => {
  assertEquals(next("0 0 30 2 *", "2024-01-01T00:00:00Z"), []);
  assertEquals(next("0 , * * *", "2024-01-01T00:00:00Z"), []);
});

Deno.test("next: a time that clocks skip does not occur that day", () => {
  const schedule = inTimezone("30 2 * * *", "America/New_York");
  assertEquals(next(schedule, "2024-03-09T12:00:00Z"), ["2024-03-11T06:30"]);
});

Deno.test("next: a time that clocks show twice occurs twice", () => {
  const schedule = inTimezone("30 1 * * *", "America/New_York");
  assertEquals(next(schedule, "2024-11-03T00:00:00Z", 2), ["2024-11-03T05:30", "2024-11-03T06:30"]);
});

Deno.test("next: midnight occurs in a zone whose clocks change at midnight", () => {
  const schedule = inTimezone("0 0 * * *", "America/Sao_Paulo");
  assertEquals(next(schedule, "2018-11-03T12:00:00Z", 2), ["2018-11-05T02:00", "2018-11-06T02:00"]);
});

Deno.test("next: a day whose midnight is skipped has its other hours", () => {
  const schedule = inTimezone("30 * * * SUN", "Asia/Beirut");
  assertEquals(next(schedule, "2017-03-25T12:00:00Z", 2), ["2017-03-25T22:30", "2017-03-25T23:30"]);
});

Deno.test("next: a day that a zone skipped does not stop the search", () => {
  const schedule = inTimezone("0 0 31 12 *", "Pacific/Apia");
  assertEquals(next(schedule, "2011-12-01T00:00:00Z"), ["2011-12-30T10:00"]);
});

Deno.test("parseSchedule: time zones are named as in the zone database", () => {
  for (const name of ["Asia/Calcutta", "Asia/Kolkata", "GB-Eire", "EST5EDT", "Etc/GMT+5", "W-SU"]) {
    parseSchedule(inTimezone("@daily", name));
  }
  for (const name of ["america/new_york", "AMERICA/NEW_YORK", "PST", "ACT", "SystemV/EST5", "+05:00", "EST5"]) {
    assertThrows(() => parseSchedule(inTimezone("@daily", name)), CronError, `unknown time zone ${name}`);
  }
});

Deno.test("parseSchedule: the zone Local is the zone of schedules without a time zone", () => {
  const schedule = parseSchedule("CRON_TZ=Local 30 1 * * *", GoZone.fixed(-3600));
  assertEquals(schedule.next(new Date("2024-01-01T00:00:00Z")), new Date("2024-01-01T02:30:00Z"));
});

Deno.test("parseSchedule: rejects 7 as Sunday, and a field for seconds", () => {
  assertThrows(() => parseSchedule("0 0 * * 7"), CronError, "above maximum (6)");
  assertThrows(() => parseSchedule("0 0 0 * * *"), CronError, "expected exactly 5 fields, found 6");
});

Deno.test("parseSchedule: an invalid schedule fails with the reason", () => {
  for (const text of ["", "@reboot", "@every x", "a * * * *", "5-1 * * * *", "*/0 * * * *", "CRON_TZ=Asia/Tokyo"]) {
    assertThrows(() => parseSchedule(text), CronError);
  }
  assertThrows(() => parseSchedule(inTimezone("@daily", "Nope/Zone")), CronError, "unknown time zone Nope/Zone");
});

Deno.test("next: returns the first matching minute, no matter how clocks change in between", () => {
  const minute = fc.constantFrom("*", "0", "30", "15,45", "*/20");
  const hour = fc.constantFrom("*", "0", "1", "2", "3,23", "*/6");
  const day = fc.constantFrom("*", "1", "*/2", "31", "10-20");
  const month = fc.constantFrom("*", "3,4,10,11", "*/2");
  const weekday = fc.constantFrom("*", "0", "1-5", "*/3");
  const zone = fc.constantFrom(
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "UTC",
  );
  const from = fc.integer({
    min: Date.parse("2017-01-01T00:00:00Z") / 1000,
    max: Date.parse("2019-12-01T00:00:00Z") / 1000,
  });
  fc.assert(
    fc.property(fc.tuple(minute, hour, day, month, weekday), zone, from, (parts, name, seconds) => {
      const schedule = parseSchedule(inTimezone(parts.join(" "), name));
      const { fields } = schedule;
      const upTo = seconds + 9 * 86_400;
      let expected: number | undefined;
      for (let time = (Math.floor(seconds / 60) + 1) * 60; time <= upTo && expected === undefined; time += 60) {
        if (fits(new GoTime(time, 0, fields!.zone), fields!)) expected = time;
      }
      const found = schedule.next(new Date(seconds * 1000))?.getTime();
      assertEquals(
        found !== undefined && found <= upTo * 1000 ? found / 1000 : undefined,
        expected,
        `${parts.join(" ")} ${name}`,
      );
    }),
    { numRuns: 60 },
  );
});

function fits(time: GoTime, { minute, hour, day, month, weekday }: CalendarFields): boolean {
  const civil = time.civil();
  const [ofMonth, ofWeek] = [day.allowed.has(civil.day), weekday.allowed.has(time.weekday)];
  return minute.allowed.has(civil.minute) && hour.allowed.has(civil.hour) && month.allowed.has(civil.month) &&
    (day.open || weekday.open ? ofMonth && ofWeek : ofMonth || ofWeek);
}

Deno.test("neverFires: is true only for schedules whose dates are in no month", () => {
  const never = ["0 0 31 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30,31 2 ?", "0 0 30 2 */1", ", * * * *", "* * * * ,"];
  const sometimes = ["0 0 29 2 *", "0 0 31 2 1", "0 0 31 2 */2", "0 0 31 1 *", "0 0 29 2 */1", "@every 1s", "@yearly"];
  for (const text of never) assertEquals([text, parseSchedule(text).neverFires], [text, true]);
  for (const text of sometimes) assertEquals([text, parseSchedule(text).neverFires], [text, false]);
});

Deno.test("next: takes at most a hundred steps, however rarely a schedule fires", () => {
  for (
    const text of [
      "0 0 29 2 *",
      "59 23 31 12 *",
      "0 0 29 2 */1",
      "59 23 28-31 */11 6",
      "0 0 31 2,4,6,9,11 *",
      "* * * * *",
    ]
  ) {
    let steps = 0;
    parseSchedule(inTimezone(text, "America/New_York")).next(new Date("2024-03-01T00:00:01Z"), () => steps++);
    assertEquals([text, steps <= 100], [text, true], `${steps}`);
  }
});
