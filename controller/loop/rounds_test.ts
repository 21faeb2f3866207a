import { assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { Rounds } from "./rounds.ts";
import { flushPromises } from "../../lib/base/clock/testing/settled.ts";

Deno.test("rounds: the interval begins at the end of the previous round", async () => {
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
  await flushPromises();
  clock.advance(100);
  assertEquals(begun, [10, 600]);
  end();
  await rounds.close();
});

Deno.test("rounds: closing aborts the current round, waits for it, and starts no other", async () => {
  const clock = fakeClock();
  const seen: string[] = [];
  let end = () => {};
  const round = async (signal: AbortSignal) => {
    await new Promise<void>((resolve) => end = resolve);
    seen.push(signal.aborted ? "aborted" : "not aborted");
  };
  const rounds = new Rounds({ clock, everyMillis: 100, round });
  rounds.start();
  clock.advance(100);
  const closed = rounds.close().then(() => seen.push("closed"));
  await flushPromises();
  assertEquals(seen, []);
  end();
  await closed;
  clock.advance(1000);
  assertEquals(seen, ["aborted", "closed"]);
  assertEquals(clock.timersSet, 1);
});

Deno.test("rounds: an interval of 0 disables them", () => {
  const clock = fakeClock();
  new Rounds({ clock, everyMillis: 0, firstMillis: 10, round: () => Promise.resolve() }).start();
  assertEquals(clock.timersSet, 0);
});
