import { assertEquals } from "@std/assert";
import { calendarOf } from "./run_calendar.ts";

/** A Wednesday. */
const NOW = new Date("2026-03-04T12:00:00Z");
const run = (startedAt: string) => ({ status: { startedAt } });
const calendar = (schedule: string, { zone = "UTC", runs = [] as ReturnType<typeof run>[] } = {}) =>
  calendarOf({ runs, schedules: [schedule], timezone: undefined, zone, now: NOW });
const plannedIn = (days: ReturnType<typeof calendar>) =>
  days.filter(({ planned }) => planned > 0).map(({ date, planned, isMore }) =>
    `${date} ${planned}${isMore ? "+" : ""}`
  );

Deno.test("calendarOf: shows two weeks before the current one, and two after it, from Monday on", () => {
  const days = calendar("0 3 * * 1");
  assertEquals([days.length, days[0]?.date, days.at(-1)?.date], [35, "2026-02-16", "2026-03-22"]);
  assertEquals(days.filter(({ isToday }) => isToday).map(({ date }) => date), ["2026-03-04"]);
  assertEquals(plannedIn(days), ["2026-03-09 1", "2026-03-16 1"]);
});

Deno.test("calendarOf: counts the times of a day up to a limit, from now on", () => {
  assertEquals(plannedIn(calendar("0 */6 * * *")).slice(0, 2), ["2026-03-04 1", "2026-03-05 4"]);
  const hourly = plannedIn(calendar("0 * * * *"));
  assertEquals([hourly.length, hourly[0], hourly[1]], [19, "2026-03-04 11", "2026-03-05 24"]);
  const often = plannedIn(calendar("* * * * *"));
  assertEquals([often.length, often[0], often.at(-1)], [19, "2026-03-04 24+", "2026-03-22 24+"]);
  assertEquals(plannedIn(calendar("not a schedule")), []);
});

Deno.test("calendarOf: places runs and times on the days of the zone, also where the clocks change", () => {
  const zone = "Asia/Kolkata";
  const days = calendar("0 20 * * *", { zone, runs: [run("2026-03-03T19:00:00Z"), run("2026-03-03T10:00:00Z")] });
  assertEquals(days.filter(({ runs }) => runs.length > 0).map(({ date, runs }) => `${date} ${runs.length}`), [
    "2026-03-03 1",
    "2026-03-04 1",
  ]);
  assertEquals(plannedIn(days)[0], "2026-03-05 1");
  assertEquals(plannedIn(calendar("*/10 * * * *", { zone: "America/New_York" })).length, 19);
});
