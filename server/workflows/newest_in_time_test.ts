/** Changes that are told no faster than so often: none is lost that matters, and the newest state wins. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { newestInTime } from "./newest_in_time.ts";

const state = (type: string, version: number, uid = "a") => ({
  type,
  object: { metadata: { name: "w", uid, resourceVersion: String(version) } } as Workflow,
});

/** A source that tells what it is given, and a way to see what came of it. */
function line() {
  const given: ReturnType<typeof state>[] = [];
  let wake = () => {};
  let isOver = false;
  async function* source() {
    while (!isOver || given.length > 0) {
      const next = given.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  }
  return {
    source: source(),
    give(...changes: readonly ReturnType<typeof state>[]) {
      given.push(...changes);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  };
}

const textOf = ({ type, object: { metadata } }: ReturnType<typeof state>) =>
  `${type} ${metadata.uid} ${metadata.resourceVersion}`;

/** Lets everything go on that waits for no clock. */
async function rest() {
  for (let turn = 0; turn < 5_000; turn++) await Promise.resolve();
}

Deno.test("of a hundred changes within the time the first is told at once and then the newest", async () => {
  const clock = fakeClock();
  const { source, give, end } = line();
  const told: string[] = [];
  const reading = (async () => {
    for await (const change of newestInTime(source, clock, 100)) told.push(textOf(change));
  })();
  give(state("ADDED", 1));
  await rest();
  assertEquals(told, ["ADDED a 1"]);
  for (let version = 2; version <= 100; version++) give(state("MODIFIED", version));
  await rest();
  assertEquals(told, ["ADDED a 1"]);
  clock.advance(99);
  await rest();
  assertEquals(told.length, 1);
  clock.advance(1);
  await rest();
  assertEquals(told, ["ADDED a 1", "MODIFIED a 100"]);
  give(state("MODIFIED", 101));
  await rest();
  assertEquals(told.length, 2);
  end();
  await reading;
  assertEquals(told.at(-1), "MODIFIED a 101");
});

Deno.test("an end and a new beginning under the same name are both told", async () => {
  const clock = fakeClock();
  const { source, give, end } = line();
  const told: string[] = [];
  const reading = (async () => {
    for await (const change of newestInTime(source, clock, 100)) told.push(textOf(change));
  })();
  give(state("ADDED", 1), state("MODIFIED", 2), state("DELETED", 3), state("ADDED", 4, "b"), state("MODIFIED", 5, "b"));
  await rest();
  end();
  await reading;
  assertEquals(told, ["ADDED a 1", "DELETED a 3", "ADDED b 5"]);
});

Deno.test("a source that fails fails its reader, after what it told", async () => {
  const told: string[] = [];
  let failure = "";
  try {
    const source = async function* () {
      yield state("ADDED", 1);
      yield state("MODIFIED", 2);
      await Promise.reject(new Error("gone"));
    };
    for await (const change of newestInTime(source(), fakeClock(), 100)) told.push(textOf(change));
  } catch (error) {
    failure = (error as Error).message;
  }
  assertEquals([...told, failure], ["ADDED a 1", "MODIFIED a 2", "gone"]);
});
