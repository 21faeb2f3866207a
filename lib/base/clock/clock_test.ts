import { assert, assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "./testing/fake_clock.ts";
import { pause, systemClock } from "./mod.ts";

Deno.test("pause() lasts as long as it is told to, by the clock that it is given", async () => {
  const clock = fakeClock();
  await clock.runUntil(pause(clock, 3_600_000));
  assertEquals(clock.elapsed, 3_600_000);
});

Deno.test("pause() ends with an error when it is cancelled, and leaves no timer behind", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const pausing = pause(clock, 1000, stop.signal);
  stop.abort(new Error("cancelled"));
  await assertRejects(() => pausing, Error, "cancelled");
  await assertRejects(() => pause(clock, 1000, stop.signal), Error, "cancelled");
});

Deno.test("the machine's clock acts after a while, and not when it is taken back", async () => {
  const acted: string[] = [];
  const takeBack = systemClock.after(1, () => acted.push("taken back"));
  takeBack();
  await new Promise<void>((resolve) => systemClock.after(20, resolve));
  assertEquals(acted, []);
});

Deno.test("the machine's clock takes a time that no timer can hold", () => {
  const takeBack = systemClock.after(2 ** 40, () => assert(false));
  takeBack();
});
