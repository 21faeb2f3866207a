import { assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { Rounds } from "./rounds.ts";
import { settled } from "../../lib/base/clock/testing/settled.ts";

Deno.test("a round begins when the time after the end of the one before is over", async () => {
  const clock = fakeClock();
  const begun: number[] = [];
  let end = () => {};
  const round = () => {
    begun.push(clock.elapsed);
    return new Promise<void>((resolve) => end = resolve);
  };
  const rounds = new Rounds({ clock, everyMillis: 100, firstMillis: 10, round });
  rounds.start();
  clock.advance(500);
  assertEquals(begun, [10]);
  end();
  await settled();
  clock.advance(100);
  assertEquals(begun, [10, 600]);
  end();
  await rounds.close();
});

Deno.test("rounds that are ended make no other one, tell the one under way, and wait for it", async () => {
  const clock = fakeClock();
  const seen: string[] = [];
  let end = () => {};
  const round = async (signal: AbortSignal) => {
    await new Promise<void>((resolve) => end = resolve);
    seen.push(signal.aborted ? "told" : "not told");
  };
  const rounds = new Rounds({ clock, everyMillis: 100, round });
  rounds.start();
  clock.advance(100);
  const closed = rounds.close().then(() => seen.push("closed"));
  await settled();
  assertEquals(seen, []);
  end();
  await closed;
  clock.advance(1000);
  assertEquals(seen, ["told", "closed"]);
  assertEquals(clock.timersSet, 1);
});

Deno.test("there are no rounds where there is no time between them", () => {
  const clock = fakeClock();
  new Rounds({ clock, everyMillis: 0, firstMillis: 10, round: () => Promise.resolve() }).start();
  assertEquals(clock.timersSet, 0);
});
