/** Tests the throttling of changes: the newest state wins, and no deletion is lost. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { newestInTime } from "./newest_in_time.ts";

const state = (type: string, version: number, uid = "a") => ({
  type,
  object: { metadata: { name: "w", uid, resourceVersion: String(version) } } as Workflow,
});

/** A source that yields the given changes, until it is ended. */
function line() {
  const given: ReturnType<typeof state>[] = [];
  let wake = () => {};
  let isDone = false;
  async function* source() {
    while (!isDone || given.length > 0) {
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
      isDone = true;
      wake();
    },
  };
}

const textOf = ({ type, object: { metadata } }: ReturnType<typeof state>) =>
  `${type} ${metadata.uid} ${metadata.resourceVersion}`;

/** Waits until only the clock can cause progress. */
async function untilIdle() {
  for (let turn = 0; turn < 5_000; turn++) await Promise.resolve();
}

Deno.test("newestInTime: of a hundred changes within the interval, yields the first at once and the newest at its end", async () => {
  const clock = fakeClock();
  const { source, give, end } = line();
  const received: string[] = [];
  const reading = (async () => {
    for await (const change of newestInTime(source, clock, 100)) received.push(textOf(change));
  })();
  give(state("ADDED", 1));
  await untilIdle();
  assertEquals(received, ["ADDED a 1"]);
  for (let version = 2; version <= 100; version++) give(state("MODIFIED", version));
  await untilIdle();
  assertEquals(received, ["ADDED a 1"]);
  clock.advance(99);
  await untilIdle();
  assertEquals(received.length, 1);
  clock.advance(1);
  await untilIdle();
  assertEquals(received, ["ADDED a 1", "MODIFIED a 100"]);
  give(state("MODIFIED", 101));
  await untilIdle();
  assertEquals(received.length, 2);
  end();
  await reading;
  assertEquals(received.at(-1), "MODIFIED a 101");
});

Deno.test("newestInTime: yields both a deletion and a new object of the same name", async () => {
  const clock = fakeClock();
  const { source, give, end } = line();
  const received: string[] = [];
  const reading = (async () => {
    for await (const change of newestInTime(source, clock, 100)) received.push(textOf(change));
  })();
  give(state("ADDED", 1), state("MODIFIED", 2), state("DELETED", 3), state("ADDED", 4, "b"), state("MODIFIED", 5, "b"));
  await untilIdle();
  end();
  await reading;
  assertEquals(received, ["ADDED a 1", "DELETED a 3", "ADDED b 5"]);
});

Deno.test("newestInTime: rethrows the error of the source after its changes", async () => {
  const received: string[] = [];
  let failure = "";
  try {
    const source = async function* () {
      yield state("ADDED", 1);
      yield state("MODIFIED", 2);
      await Promise.reject(new Error("gone"));
    };
    for await (const change of newestInTime(source(), fakeClock(), 100)) received.push(textOf(change));
  } catch (error) {
    failure = (error as Error).message;
  }
  assertEquals([...received, failure], ["ADDED a 1", "MODIFIED a 2", "gone"]);
});
