import { assert, assertEquals } from "@std/assert";
import { clockChanges, missedTimes, nextTimes, shownZone } from "./schedule.ts";

const iso = (times: readonly Date[]) => times.map((time) => time.toISOString());

Deno.test("nextTimes: merges the times of all schedules in order, without duplicates", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const { times } = nextTimes(["0 3 * * *", "0 */3 * * *"], undefined, now, 3);
  assertEquals(iso(times), ["2026-01-01T03:00:00.000Z", "2026-01-01T06:00:00.000Z", "2026-01-01T09:00:00.000Z"]);
});

Deno.test("nextTimes: a time that clocks skip does not occur that night", () => {
  const now = new Date("2026-03-28T12:00:00Z");
  const { times } = nextTimes(["30 2 * * *"], "Europe/Berlin", now, 2);
  // On the 29th, 02:30 does not exist in Berlin.
  assertEquals(iso(times), ["2026-03-30T00:30:00.000Z", "2026-03-31T00:30:00.000Z"]);
});

Deno.test("nextTimes: an invalid schedule is a problem", () => {
  const { times, problem } = nextTimes(["61 * * * *"], undefined, new Date(0), 3);
  assertEquals(times, []);
  assert(problem?.includes("61"), problem);
});

Deno.test("clockChanges: lists skipped and repeated times in the zone of the schedule", () => {
  const now = new Date("2026-03-28T12:00:00Z");
  const changes = (schedule: string, zone?: string) =>
    clockChanges([schedule], zone, now).map(({ at, kind, times }) => [at.toISOString(), kind, times.join()]);
  assertEquals(changes("30 2 * * *", "Europe/Berlin"), [
    ["2026-03-29T01:00:00.000Z", "skipped", "02:30"],
    ["2026-10-25T01:00:00.000Z", "doubled", "02:30"],
  ]);
  assertEquals(changes("CRON_TZ=America/New_York 15,45 1 * * *"), [
    ["2026-11-01T06:00:00.000Z", "doubled", "01:15,01:45"],
  ]);
  assertEquals(changes("0 12 * * *", "Europe/Berlin"), []);
  assertEquals(changes("30 2 * * 1", "Europe/Berlin"), []);
  for (const schedule of ["30 2 * * *", "@every 1h", "nothing"]) assertEquals(changes(schedule), []);
});

Deno.test("missedTimes: counts times since the last run, except one that is just due", () => {
  const missed = (now: string) => missedTimes(["0 * * * *"], undefined, "2026-03-28T09:00:00Z", Date.parse(now));
  assertEquals(missed("2026-03-28T10:00:30Z"), undefined);
  const found = missed("2026-03-28T12:30:00Z");
  assertEquals([found?.count, found?.first.toISOString(), found?.last.toISOString()], [
    3,
    "2026-03-28T10:00:00.000Z",
    "2026-03-28T12:00:00.000Z",
  ]);
  assertEquals(missed("2026-06-28T12:30:00Z")?.isMore, true);
  assertEquals(missedTimes(["0 * * * *"], undefined, undefined, Date.now()), undefined);
});

Deno.test("shownZone: a zone that the browser does not know is shown as UTC", () => {
  assertEquals(["Europe/Berlin", "Nowhere/X", "Local", "", undefined].map(shownZone), [
    "Europe/Berlin",
    "UTC",
    "UTC",
    "UTC",
    "UTC",
  ]);
});
