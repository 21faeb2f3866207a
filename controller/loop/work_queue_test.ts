import { assertEquals } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { machineClock } from "./clock.ts";
import { WorkQueue } from "./work_queue.ts";
import { flushPromisesAndTimers } from "../../lib/base/clock/testing/settled.ts";

/** A queue whose passes end when the test completes them. */
function heldQueue(limit: number) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new WorkQueue((key) => {
    begun.push(key);
    return new Promise((resolve) => ends.set(key, resolve));
  }, limit);
  const end = async (key: string) => {
    ends.get(key)!();
    await new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  };
  return { queue, begun, end };
}

Deno.test("WorkQueue: runs one pass for a key that is added repeatedly while it waits", async () => {
  const { queue, begun, end } = heldQueue(1);
  for (const key of ["a", "b", "b", "b"]) queue.add(key);
  await end("a");
  await end("b");
  assertEquals(begun, ["a", "b"]);
});

Deno.test("WorkQueue: runs another pass for a key that is added during its pass, never two at a time", async () => {
  const { queue, begun, end } = heldQueue(2);
  queue.add("a");
  queue.add("a");
  assertEquals(begun, ["a"]);
  await end("a");
  assertEquals(begun, ["a", "a"]);
  await end("a");
});

Deno.test("WorkQueue: processes up to the limit of keys at a time", async () => {
  const { queue, begun, end } = heldQueue(2);
  for (const key of ["a", "b", "c"]) queue.add(key);
  assertEquals(begun, ["a", "b"]);
  assertEquals(queue.depth, 1);
  await end("b");
  assertEquals(begun, ["a", "b", "c"]);
  await end("a");
  await end("c");
});

Deno.test("WorkQueue: addAt() enqueues at the earliest of several times", async () => {
  const came: string[] = [];
  let seen = () => {};
  const done = new Promise<void>((resolve) => seen = resolve);
  const queue = new WorkQueue((key) => {
    came.push(key);
    seen();
    return Promise.resolve();
  }, 1);
  queue.addAt("a", Date.now() + 3_600_000);
  queue.addAt("a", Date.now());
  await done;
  assertEquals(came, ["a"]);
  await queue.close();
});

Deno.test("WorkQueue: urgent keys come before keys that have waited longer", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const queue = new WorkQueue(async (key) => {
    order.push(key);
    await gate.promise;
  }, 1);
  queue.add("working");
  queue.add("first");
  queue.add("second");
  queue.add("urgent", { urgent: true });
  queue.add("working", { urgent: true });
  gate.resolve();
  while (queue.depth > 0) await Promise.resolve();
  await queue.close();
  assertEquals(order, ["working", "urgent", "working", "first", "second"]);
});

Deno.test("WorkQueue: a key pauses if its pass requests it, and then one pass covers all additions in the meantime", async () => {
  const passes: string[] = [];
  const clock = fakeClock();
  const queue = new WorkQueue(
    (key) => {
      passes.push(key);
      return Promise.resolve(key === "a" ? 5 : 0);
    },
    1,
    clock,
  );
  queue.add("a");
  await flushPromisesAndTimers();
  for (const key of ["a", "b", "a"]) queue.add(key);
  await flushPromisesAndTimers();
  assertEquals(passes, ["a", "b"]);
  clock.advance(5);
  await flushPromisesAndTimers();
  assertEquals(passes, ["a", "b", "a"]);
  await queue.close();
});

Deno.test("WorkQueue: an urgent addition ends the pause of a key", async () => {
  const passes: string[] = [];
  const queue = new WorkQueue((key) => Promise.resolve(void passes.push(key)).then(() => 3_600_000), 1);
  queue.add("a");
  await flushPromisesAndTimers();
  queue.add("a");
  await flushPromisesAndTimers();
  assertEquals(passes, ["a"]);
  queue.add("a", { urgent: true });
  await flushPromisesAndTimers();
  assertEquals(passes, ["a", "a"]);
  await queue.close();
});

Deno.test("WorkQueue: addAt() uses the given clock", async () => {
  const passed = Promise.withResolvers<void>();
  const queue = new WorkQueue(() => Promise.resolve(passed.resolve()), 1, {
    ...machineClock(),
    now: () => Date.now() + 3_600_000,
  });
  queue.addAt("a", Date.now() + 3_600_000);
  await passed.promise;
  await queue.close();
});

Deno.test("WorkQueue: timers and the network get a turn between long passes", async () => {
  const order: string[] = [];
  const done = Promise.withResolvers<void>();
  const queue = new WorkQueue((key) => {
    order.push(key);
    for (const until = performance.now() + 30; performance.now() < until;);
    if (order.filter((entry) => entry !== "elsewhere").length === 3) done.resolve();
    return Promise.resolve();
  }, 32);
  setTimeout(() => order.push("elsewhere"));
  for (const key of ["a/1", "a/2", "a/3"]) queue.add(key);
  await done.promise;
  await queue.close();
  assertEquals(order.indexOf("elsewhere") > 0 && order.indexOf("elsewhere") < 3, true);
});

Deno.test("WorkQueue: timers and the network get a turn while many passes start that await immediately", async () => {
  const begun: string[] = [];
  const all = Promise.withResolvers<void>();
  const queue = new WorkQueue(async (key) => {
    await Promise.resolve();
    if (begun.push(key) === 32) all.resolve();
  }, 32);
  const turn = new Promise<number>((resolve) => setTimeout(() => resolve(begun.length)));
  for (let index = 0; index < 32; index++) queue.add(`n/${index}`);
  const before = await turn;
  assertEquals([before > 0, before < 32], [true, true]);
  await all.promise;
  await queue.close();
});

Deno.test("WorkQueue: a key that yields frees its worker, and still has only one pass at a time", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new WorkQueue((key, stepAside) => {
    begun.push(key);
    if (key === "slow") stepAside();
    return new Promise((resolve) => ends.push(resolve));
  }, 1);
  for (const key of ["slow", "a", "b", "slow"]) queue.add(key);
  await Promise.resolve();
  await Promise.resolve();
  assertEquals(begun, ["slow", "a"]);
  assertEquals(queue.depth, 1);
  while (ends.length) {
    ends.shift()!();
    await new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  }
  assertEquals(begun, ["slow", "a", "b", "slow"]);
});

Deno.test("WorkQueue: is stalled while keys wait and no pass ends, and never while the queue is empty", async () => {
  const clock = fakeClock();
  const ends: (() => void)[] = [];
  const queue = new WorkQueue(() => new Promise<void>((resolve) => ends.push(resolve)), 1, clock);
  const endOne = async () => {
    ends.shift()!();
    await flushPromisesAndTimers();
  };
  const stalled: number[] = [];
  const pass = (seconds: number) => {
    clock.advance(seconds * 1000);
    stalled.push(queue.stalledMillis / 1000);
  };
  queue.add("a");
  pass(7);
  queue.add("b");
  pass(2);
  queue.add("c");
  pass(3);
  await endOne();
  pass(0);
  pass(4);
  await endOne();
  pass(5);
  await endOne();
  assertEquals(stalled, [0, 2, 5, 0, 4, 0]);
  await queue.close();
});
