import { assertEquals } from "@std/assert";
import { coarseMillis, threadMillis, WorkClock } from "./work_clock.ts";

Deno.test("a clock of work goes on while there is work, and never back", () => {
  const clock = new WorkClock(20);
  let last = 0;
  while (clock.now() < 20) {
    assertEquals(clock.now() >= last, true);
    last = clock.now();
  }
});

Deno.test({
  name: "a clock of work does not count the time in which the machine let others run",
  ignore: Deno.build.os !== "linux" || threadMillis() === performance.now(),
  fn() {
    // The thread waits: no time of its own goes by.
    const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    const clock = new WorkClock(20);
    wait();
    assertEquals(clock.now() < 100, true, "before it was looked at for the first time");
    while (clock.now() < 10);
    wait();
    assertEquals(clock.now() < 100, true);
  },
});

Deno.test({
  name: "without the right to read what the system tells exactly, a clock of work counts in steps, and no waiting",
  ignore: coarseMillis() === undefined,
  fn() {
    const before = coarseMillis()!;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    assertEquals(coarseMillis()! - before < 100, true);
    while (coarseMillis()! - before < 20);
  },
});
