import { assert, assertEquals } from "@std/assert";
import { FlowControl, type FlowControlOptions } from "./flow_control.ts";

/** A server whose responses the test sends, and a clock that it advances. */
function world(options: FlowControlOptions = {}) {
  const waits: number[] = [];
  const clock = { now: 0 };
  const control = new FlowControl({
    now: () => clock.now,
    wait: (millis) => Promise.resolve(void waits.push(millis)),
    ...options,
  });
  const open: (() => void)[] = [];
  const ask = () => control.run(() => new Promise<void>((resolve) => open.push(resolve)));
  /** Responds to all requests in flight and lets waiting ones proceed. */
  const answerAll = async () => {
    for (const answer of open.splice(0)) answer();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { control, clock, waits, open, ask, answerAll };
}

Deno.test("FlowControl: sends at most its limit of requests, others in arrival order", async () => {
  const { open, ask, answerAll } = world({ start: 2, max: 2 });
  const done = Promise.all([ask(), ask(), ask()]);
  assertEquals(open.length, 2);
  await answerAll();
  assertEquals(open.length, 1);
  await answerAll();
  await done;
});

Deno.test("FlowControl: background work waits until there were no other requests for a moment", async () => {
  const wakeUps: (() => void)[] = [];
  const { control, clock, ask, answerAll } = world({ wait: () => new Promise((wake) => wakeUps.push(wake)) });
  const order: string[] = [];
  const behind = (name: string) => control.run(() => Promise.resolve(void order.push(name)), { background: true });
  const wakeUp = async () => {
    wakeUps.shift()!();
    await answerAll();
  };
  ask();
  behind("a");
  behind("b");
  clock.now = 100;
  await answerAll();
  clock.now = 110;
  ask();
  clock.now = 119;
  await answerAll();
  clock.now = 120;
  await wakeUp();
  assertEquals([order, control.isBackgroundWaiting], [[], true]);
  clock.now = 140;
  await wakeUp();
  assertEquals([order, control.isBackgroundWaiting], [["a", "b"], false]);
  assertEquals(wakeUps.length, 0);
});

Deno.test("FlowControl: background work does not starve", async () => {
  const { control, clock, ask, answerAll } = world({ start: 1, max: 1 });
  let done = false;
  const front = Array.from({ length: 20 }, ask);
  const behind = control.run(() => Promise.resolve(void (done = true)), { background: true });
  const answers = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await answerAll();
    return done;
  };
  assertEquals(await answers(9), false);
  clock.now = 2900;
  assertEquals(await answers(1), false);
  clock.now = 3000;
  assertEquals(await answers(8), true);
  await behind;
  await answers(10);
  await Promise.all(front);
});

Deno.test("FlowControl: raises its limit while a busy server responds in time", async () => {
  const { control, ask, answerAll } = world({ start: 2, max: 4 });
  const done = Promise.all(Array.from({ length: 60 }, ask));
  for (let round = 0; round < 30; round++) await answerAll();
  await done;
  assertEquals(control.limit, 4);
});

Deno.test("FlowControl: does not raise its limit beyond the demand", async () => {
  const { control, ask, answerAll } = world({ start: 8 });
  for (let round = 0; round < 100; round++) {
    const done = ask();
    await answerAll();
    await done;
  }
  assertEquals(control.limit, 8);
});

Deno.test("FlowControl: halves its limit for a slow response, at most once per second", async () => {
  const { control, clock, ask, answerAll } = world({ start: 16 });
  const done = Promise.all([ask(), ask(), ask()]);
  clock.now = 4000;
  await answerAll();
  await done;
  assertEquals(control.limit, 8);
});

Deno.test("FlowControl: the limit never falls below one request", () => {
  const { control, clock } = world({ start: 16 });
  for (let time = 1; time <= 10; time++) {
    clock.now = time * 2000;
    control.reportOverload();
  }
  assertEquals(control.limit, 1);
});

Deno.test("FlowControl: releases the slot of a failed request", async () => {
  const { control } = world({ start: 1 });
  for (let turn = 0; turn < 3; turn++) {
    const failed = await control.run(() => Promise.reject(new Error("refused"))).then(() => false, () => true);
    assert(failed);
  }
  assertEquals(await control.run(() => Promise.resolve("done")), "done");
});

Deno.test("FlowControl: keeps a configured rate after a burst", async () => {
  const { waits, control } = world({ rate: { qps: 10, burst: 2 } });
  for (let turn = 0; turn < 4; turn++) await control.run(() => Promise.resolve());
  assertEquals(waits, [100, 200]);
});
