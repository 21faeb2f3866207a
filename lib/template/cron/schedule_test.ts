import { assertEquals, assertThrows } from "@std/assert";
import { GoZone } from "../../go/zone.ts";
import { CronError } from "./field.ts";
import { inTimezone, parseSchedule } from "./schedule.ts";

function next(schedule: string, from: string, count = 1): string[] {
  const parsed = parseSchedule(schedule);
  const found: string[] = [];
  for (let at: Date | undefined = new Date(from); at && found.length < count;) {
    at = parsed.next(at);
    if (at) found.push(at.toISOString().slice(0, 16));
  }
  return found;
}

Deno.test("a schedule comes strictly after the time asked about", () => {
  assertEquals(next("0 0 * * *", "2024-02-28T00:00:00Z"), ["2024-02-29T00:00"]);
  assertEquals(next("* * * * *", "2024-02-28T10:07:33Z"), ["2024-02-28T10:08"]);
});

Deno.test("fields have lists, ranges, steps and names", () => {
  assertEquals(next("*/20 9-17/4 * JAN,mar MON-FRI", "2024-01-06T00:00:00Z", 4), [
    "2024-01-08T09:00",
    "2024-01-08T09:20",
    "2024-01-08T09:40",
    "2024-01-08T13:00",
  ]);
});

Deno.test("a name may have letters of any case, whichever language has them", () => {
  assertEquals(next("0 0 * * FRİ", "2024-09-01T00:00:00Z"), ["2024-09-06T00:00"]);
});

Deno.test("when both day fields are set either is enough", () => {
  assertEquals(next("0 0 13 * FRI", "2024-09-01T00:00:00Z", 3), [
    "2024-09-06T00:00",
    "2024-09-13T00:00",
    "2024-09-20T00:00",
  ]);
});

Deno.test("when one day field is open only the other counts", () => {
  assertEquals(next("0 0 1 * ?", "2024-09-02T00:00:00Z"), ["2024-10-01T00:00"]);
});

Deno.test("words stand for common schedules, and an interval for seconds from the last time", () => {
  assertEquals(next("@monthly", "2024-01-15T00:00:00Z"), ["2024-02-01T00:00"]);
  assertEquals(next("@every 90m", "2024-01-01T00:00:30Z", 2), ["2024-01-01T01:30", "2024-01-01T03:00"]);
});

Deno.test("a date that never comes is given up after five years", () => {
  assertEquals(next("0 0 30 2 *", "2024-01-01T00:00:00Z"), []);
  assertEquals(next("0 , * * *", "2024-01-01T00:00:00Z"), []);
});

Deno.test("a time that clocks skip does not come that day", () => {
  const schedule = inTimezone("30 2 * * *", "America/New_York");
  assertEquals(next(schedule, "2024-03-09T12:00:00Z"), ["2024-03-11T06:30"]);
});

Deno.test("a time that clocks show twice comes twice", () => {
  const schedule = inTimezone("30 1 * * *", "America/New_York");
  assertEquals(next(schedule, "2024-11-03T00:00:00Z", 2), ["2024-11-03T05:30", "2024-11-03T06:30"]);
});

Deno.test("midnight in a zone whose clocks change at midnight still comes", () => {
  const schedule = inTimezone("0 0 * * *", "America/Sao_Paulo");
  assertEquals(next(schedule, "2018-11-03T12:00:00Z", 2), ["2018-11-05T02:00", "2018-11-06T02:00"]);
});

Deno.test("a day that a place skipped does not hold the search up", () => {
  const schedule = inTimezone("0 0 31 12 *", "Pacific/Apia");
  assertEquals(next(schedule, "2011-12-01T00:00:00Z"), ["2011-12-30T10:00"]);
});

Deno.test("time zones have the names of the zone database, spelled as there", () => {
  for (const name of ["Asia/Calcutta", "Asia/Kolkata", "GB-Eire", "EST5EDT", "Etc/GMT+5", "W-SU"]) {
    parseSchedule(inTimezone("@daily", name));
  }
  for (const name of ["america/new_york", "AMERICA/NEW_YORK", "PST", "ACT", "SystemV/EST5", "+05:00", "EST5"]) {
    assertThrows(() => parseSchedule(inTimezone("@daily", name)), CronError, `unknown time zone ${name}`);
  }
});

Deno.test("the zone Local is the one that a schedule without a zone is meant in", () => {
  const schedule = parseSchedule("CRON_TZ=Local 30 1 * * *", GoZone.fixed(-3600));
  assertEquals(schedule.next(new Date("2024-01-01T00:00:00Z")), new Date("2024-01-01T02:30:00Z"));
});

Deno.test("7 is no Sunday, and seconds are no field", () => {
  assertThrows(() => parseSchedule("0 0 * * 7"), CronError, "above maximum (6)");
  assertThrows(() => parseSchedule("0 0 0 * * *"), CronError, "expected exactly 5 fields, found 6");
});

Deno.test("a schedule that cannot be read says why", () => {
  for (const text of ["", "@reboot", "@every x", "a * * * *", "5-1 * * * *", "*/0 * * * *", "CRON_TZ=Asia/Tokyo"]) {
    assertThrows(() => parseSchedule(text), CronError);
  }
  assertThrows(() => parseSchedule(inTimezone("@daily", "Nope/Zone")), CronError, "unknown time zone Nope/Zone");
});
