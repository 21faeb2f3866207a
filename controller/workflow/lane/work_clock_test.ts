import { assertEquals } from "@std/assert";
import { coarseMillis, threadMillis, WorkClock } from "./work_clock.ts";

Deno.test("work clock: advances while there is work, and never goes back", () => {
  const clock = new WorkClock(20);
  let last = 0;
  while (clock.now() < 20) {
    assertEquals(clock.now() >= last, true);
    last = clock.now();
  }
});

Deno.test({
  name: "work clock: excludes the time in which the machine ran other programs",
  ignore: Deno.build.os !== "linux" || threadMillis() === performance.now(),
  fn() {
    // The thread waits without using CPU time.
    const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    const clock = new WorkClock(20);
    wait();
    assertEquals(clock.now() < 100, true, "before the first reading");
    while (clock.now() < 10);
    wait();
    assertEquals(clock.now() < 100, true);
  },
});

Deno.test({
  name: "work clock: without permission for exact values it advances in steps, and excludes waiting",
  ignore: coarseMillis() === undefined,
  fn() {
    const before = coarseMillis()!;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    assertEquals(coarseMillis()! - before < 100, true);
    while (coarseMillis()! - before < 20);
  },
});
