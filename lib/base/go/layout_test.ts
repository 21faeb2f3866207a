import { assertEquals, assertThrows } from "@std/assert";
import { formatTime, RFC3339, RFC3339_NANO, TIME_STRING } from "./layout.ts";
import { parseTime, TimeParseError } from "./layout_parse.ts";
import { GoTime } from "./time.ts";
import { GoZone, ZoneError } from "./zone.ts";

const time = parseTime(RFC3339_NANO, "2024-02-09T23:05:09.1234Z");

Deno.test("formatTime: replaces the chunks of the reference time", () => {
  const cases: [string, string][] = [
    ["2006-01-02T15:04:05", "2024-02-09T23:05:09"],
    ["Monday, Jan _2 3:04PM 06", "Friday, Feb  9 11:05PM 24"],
    [".000 .999999", ".123 .1234"],
    ["Z07:00 -0700 MST", "Z +0000 UTC"],
    ["002 day", "040 day"],
    ["Januaryish at 7", "Februaryish at 7"],
  ];
  for (const [layout, text] of cases) assertEquals(formatTime(time, layout), text);
});

Deno.test("parseTime: reads the output of formatTime", () => {
  for (const layout of [RFC3339_NANO, "Mon, 02 Jan 2006 15:04:05.0000 -0700", "2006 002 15.04.05.999999999"]) {
    assertEquals(formatTime(parseTime(layout, formatTime(time, layout)), RFC3339_NANO), "2024-02-09T23:05:09.1234Z");
  }
});

Deno.test("parseTime: missing fields are zero, and days that do not exist are rejected", () => {
  assertEquals(formatTime(parseTime("15:04", "03:04"), TIME_STRING), "0000-01-01 03:04:00 +0000 UTC");
  assertThrows(() => parseTime("2006-01-02", "2023-02-29"), TimeParseError, "day out of range");
  assertThrows(() => parseTime("2006-01-02", "2023-02-2x"), TimeParseError, 'cannot parse "2x" as "02"');
});

Deno.test("formatTime: prints the abbreviation of a zone", () => {
  const inNewYork = new GoTime(Date.parse("2024-07-01T12:00:00Z") / 1000, 0, GoZone.load("America/New_York"));
  assertEquals(formatTime(inNewYork, TIME_STRING), "2024-07-01 08:00:00 -0400 EDT");
  assertEquals(formatTime(inNewYork.in(GoZone.load("Asia/Tokyo")), "15:04 MST"), "21:00 JST");
  assertEquals(formatTime(inNewYork.in(GoZone.load("Asia/Singapore")), "15:04 MST"), "20:00 +08");
});

Deno.test("GoTime: a local time in a gap is moved back, and one in an overlap is the first", () => {
  const zone = GoZone.load("America/New_York");
  const local = (text: string) => formatTime(parseTime("2006-01-02 15:04", text, zone), RFC3339);
  assertEquals(local("2024-03-10 02:30"), "2024-03-10T01:30:00-05:00");
  assertEquals(local("2024-11-03 01:30"), "2024-11-03T01:30:00-04:00");
});

Deno.test("GoZone: names are case-sensitive", () => {
  assertThrows(() => GoZone.load("america/new_york"), ZoneError, "unknown time zone");
  assertThrows(() => GoZone.load("+05:00"), ZoneError);
  assertEquals(GoZone.load(""), GoZone.UTC);
});

Deno.test("GoTime: adds, rounds and truncates in nanoseconds", () => {
  assertEquals(formatTime(time.add(900_000_000n), RFC3339_NANO), "2024-02-09T23:05:10.0234Z");
  assertEquals(formatTime(time.truncate(3_600_000_000_000n), RFC3339), "2024-02-09T23:00:00Z");
  assertEquals(formatTime(time.addDate(0, 0, 21), "2006-01-02"), "2024-03-01");
});

Deno.test("GoTime: an ISO week belongs to the year of its Thursday", () => {
  assertEquals(parseTime("2006-01-02", "2021-01-03").isoWeek(), { year: 2020, week: 53 });
});

Deno.test("formatTime: a fraction has at most nine digits, even if the layout has more", () => {
  assertEquals(formatTime(time, ".000000000000"), ".123400000");
  assertEquals(formatTime(time, ".999999999999"), ".1234");
  assertEquals(parseTime("05.00000000000", "09.12340000000").nanosecond, 123_400_000);
  assertThrows(() => parseTime(".00000000000", ".123400000"), TimeParseError);
});

Deno.test("GoZone: has the abbreviations of the zone database under each of its names", () => {
  const letters = (zone: string, time: string) => formatTime(parseTime(RFC3339, time).in(GoZone.load(zone)), "MST");
  const cases: [string, string, string][] = [
    ["Africa/Asmara", "2024-01-01T00:00:00Z", "EAT"],
    ["America/Hermosillo", "2024-07-01T00:00:00Z", "MST"],
    ["Portugal", "2024-07-01T00:00:00Z", "WEST"],
    ["MET", "2024-07-01T00:00:00Z", "MEST"],
    ["Turkey", "2024-07-01T00:00:00Z", "+03"],
    ["GMT0", "2024-07-01T00:00:00Z", "GMT"],
  ];
  for (const [zone, time, name] of cases) assertEquals(letters(zone, time), name, zone);
});

Deno.test("parseTime: reads a zone abbreviation in a known form as its offset, also out of season", () => {
  const layout = "2006-01-02 15:04 MST";
  const shown = (text: string, zone?: string) =>
    formatTime(parseTime(layout, text, zone === undefined ? undefined : GoZone.load(zone)), RFC3339);
  assertEquals(shown("2024-01-02 03:04 CEST", "Europe/Berlin"), "2024-01-02T02:04:00+01:00");
  assertEquals(shown("2024-01-02 03:04 CEST"), "2024-01-02T03:04:00Z");
  assertEquals(shown("2024-01-02 03:04 GMT+3"), "2024-01-02T03:04:00+03:00");
  assertEquals(shown("2024-01-02 03:04 +03"), "2024-01-02T03:04:00Z");
  for (const text of ["GMT+24", "+24", "+0307", "ABCD", "ab"]) {
    assertThrows(() => shown(`2024-01-02 03:04 ${text}`), TimeParseError);
  }
});

Deno.test("parseTime: Z means UTC regardless of an abbreviation after it", () => {
  assertEquals(formatTime(parseTime("15Z07MST", "12ZPST"), "15 MST"), "12 UTC");
});

Deno.test("GoZone: has abbreviations before 1970", () => {
  const time = parseTime(RFC3339, "1969-12-31T18:00:00Z");
  assertEquals(formatTime(time.in(GoZone.load("America/New_York")), "15:04 MST"), "13:00 EST");
});
