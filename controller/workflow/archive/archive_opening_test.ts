import { assertEquals } from "@std/assert";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import { flushPromises } from "../../../lib/base/clock/testing/settled.ts";
import { lineLog } from "@tiphys/base/log";
import { openingRounds } from "./archive_opening.ts";

/** A controller whose archive opens or fails as the test specifies. */
function madeWorld({ isUsed = true } = {}) {
  const clock = fakeClock();
  const lines: string[] = [];
  const log = lineLog({ level: "info", format: "text", write: (line) => lines.push(line) });
  const state = { isUsed, tries: 0, error: undefined as Error | undefined };
  const access = {
    get isUsed() {
      return state.isUsed;
    },
    open() {
      state.tries++;
      return state.error ? Promise.reject(state.error) : Promise.resolve();
    },
  };
  const rounds = openingRounds({ clock, log, access });
  rounds.start();
  const pass = async (millis: number) => {
    clock.advance(millis);
    await flushPromises();
  };
  return { state, lines, pass, rounds };
}

Deno.test("archive: is opened when the controller starts, before the first workflow is archived", async () => {
  const { state, lines, pass, rounds } = madeWorld();
  await pass(0);
  assertEquals([state.tries, lines], [1, []]);
  await rounds.close();
});

Deno.test("archive: opening is retried if the database cannot be reached, and each cause is logged once", async () => {
  const { state, lines, pass, rounds } = madeWorld();
  state.error = new Error('secrets "db" is forbidden');
  for (const millis of [0, 30_000, 30_000]) await pass(millis);
  state.error = new Error("connection refused");
  for (const millis of [30_000, 30_000]) await pass(millis);
  state.error = undefined;
  for (const millis of [30_000, 30_000]) await pass(millis);
  assertEquals(state.tries, 7);
  const told = lines.map((line) => /is forbidden|connection refused|The archive was opened/.exec(line)?.[0]);
  assertEquals(told, ["is forbidden", "connection refused", "The archive was opened"]);
  await rounds.close();
});

Deno.test("archive: no database is opened without settings, and it is opened when they are added", async () => {
  const { state, pass, rounds } = madeWorld({ isUsed: false });
  for (const millis of [0, 30_000]) await pass(millis);
  assertEquals(state.tries, 0);
  state.isUsed = true;
  await pass(30_000);
  assertEquals(state.tries, 1);
  await rounds.close();
});
