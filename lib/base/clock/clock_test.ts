import { assert, assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "./testing/fake_clock.ts";
import { pause, systemClock } from "./mod.ts";

Deno.test("pause: resolves after the given time of its clock", async () => {
  const clock = fakeClock();
  await clock.runUntil(pause(clock, 3_600_000));
  assertEquals(clock.elapsed, 3_600_000);
});

Deno.test("pause: rejects when it is aborted and removes its timer", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const pausing = pause(clock, 1000, stop.signal);
  stop.abort(new Error("cancelled"));
  await assertRejects(() => pausing, Error, "cancelled");
  await assertRejects(() => pause(clock, 1000, stop.signal), Error, "cancelled");
});

Deno.test("systemClock: a timer fires, and a canceled one does not", async () => {
  const acted: string[] = [];
  const takeBack = systemClock.after(1, () => acted.push("taken back"));
  takeBack();
  await new Promise<void>((resolve) => systemClock.after(20, resolve));
  assertEquals(acted, []);
});

Deno.test("systemClock: accepts a delay that exceeds the maximum of one timer", () => {
  const takeBack = systemClock.after(2 ** 40, () => assert(false));
  takeBack();
});
