import { assertEquals } from "@std/assert";
import { clockOf } from "./clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A machine whose clocks the test controls, and the minutes of its monotonic clock at which actions ran. */
function machine() {
  let [wall, steady] = [1_000_000, 0];
  const timers = new Map<() => void, number>();
  const done: [string, number][] = [];
  const clock = clockOf({
    now: () => wall,
    monotonicMillis: () => steady,
    timer(millis, act) {
      timers.set(act, steady + millis);
      return () => void timers.delete(act);
    },
  });
  return {
    done,
    /** The number of active timers of the machine. */
    get timers() {
      return timers.size;
    },
    plan: (subject: string, millis: number) => clock.after(millis, () => void done.push([subject, steady / MINUTE])),
    /** Advances both clocks. */
    pass(millis: number) {
      const end = steady + millis;
      for (;;) {
        const next = [...timers].filter(([, time]) => time <= end).sort(([, a], [, b]) => a - b)[0];
        const to = next ? next[1] : end;
        wall += to - steady;
        steady = to;
        if (!next) return;
        timers.delete(next[0]);
        next[0]();
      }
    },
    /** Lets the machine sleep, or sets its system time: the monotonic clock does not advance. */
    set(millis: number) {
      wall += millis;
    },
  };
}

Deno.test("clock: a timer ends after its time, however long that is", () => {
  const { done, plan, pass } = machine();
  plan("a week", 7 * 24 * HOUR);
  plan("at once", -5);
  plan("a minute and a bit", 1.5 * MINUTE);
  pass(8 * 24 * HOUR);
  assertEquals(done, [["at once", 0], ["a minute and a bit", 1.5], ["a week", 7 * 24 * 60]]);
});

Deno.test("clock: a timer includes the time that the machine slept, and ends within a minute after it wakes up", () => {
  const { done, plan, pass, set } = machine();
  plan("after eight hours", 8 * HOUR);
  pass(10 * MINUTE);
  set(7 * HOUR);
  pass(30 * MINUTE);
  assertEquals(done, []);
  set(8 * HOUR);
  pass(10 * HOUR);
  assertEquals(done, [["after eight hours", 41]]);
});

Deno.test("clock: setting the system time back delays no timer", () => {
  const { done, plan, pass, set } = machine();
  plan("after an hour", HOUR);
  set(-24 * HOUR);
  pass(2 * HOUR);
  assertEquals(done, [["after an hour", 60]]);
});

Deno.test("clock: a canceled timer does nothing, also after a while", () => {
  const { done, plan, pass } = machine();
  const takeBack = plan("never", HOUR);
  pass(10 * MINUTE);
  takeBack();
  pass(2 * HOUR);
  assertEquals(done, []);
});

Deno.test("clock: all long timers share one timer of the machine, which is canceled with the last one", () => {
  const world = machine();
  const planned = Array.from({ length: 100 }, (_, index) => world.plan(`timer ${index}`, HOUR + index));
  world.pass(10.5 * MINUTE);
  const later = world.plan("a minute and a bit", 1.5 * MINUTE);
  assertEquals(world.timers, 1);
  for (const takeBack of planned) takeBack();
  world.pass(MINUTE);
  assertEquals(world.timers, 1);
  later();
  assertEquals(world.timers, 0);
  world.pass(2 * HOUR);
  assertEquals(world.done, []);
});
