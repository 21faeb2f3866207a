/** The next times of schedules. */
import { assert, assertEquals } from "@std/assert";
import { nextTimes } from "./schedule.ts";

const iso = (times: readonly Date[]) => times.map((time) => time.toISOString());

Deno.test("the next times are those of all schedules, in their order, each once", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const { times } = nextTimes(["0 3 * * *", "0 */3 * * *"], undefined, now, 3);
  assertEquals(iso(times), ["2026-01-01T03:00:00.000Z", "2026-01-01T06:00:00.000Z", "2026-01-01T09:00:00.000Z"]);
});

Deno.test("a time that the clocks skip does not come that night", () => {
  const now = new Date("2026-03-28T12:00:00Z");
  const { times } = nextTimes(["30 2 * * *"], "Europe/Berlin", now, 2);
  // On the 29th there is no half past two in Berlin.
  assertEquals(iso(times), ["2026-03-30T00:30:00.000Z", "2026-03-31T00:30:00.000Z"]);
});

Deno.test("a schedule that cannot be read is a problem in words", () => {
  const { times, problem } = nextTimes(["61 * * * *"], undefined, new Date(0), 3);
  assertEquals(times, []);
  assert(problem?.includes("61"), problem);
});
