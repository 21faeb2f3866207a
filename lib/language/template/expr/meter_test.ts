import { assertEquals, assertThrows } from "@std/assert";
import { evaluateWhen } from "../when/when.ts";
import { environment } from "./environment.ts";
import { compileExpression, evaluate } from "./expression.ts";
import { checkWholeTime, countedAs, EvaluationMeter, metered, MeterError, withMeter } from "./meter.ts";

/** A clock that advances by `step` milliseconds each time it is read. */
function ticking(step: number) {
  let time = 0;
  return () => (time += step);
}

const BUSY = "len(map(1..100000, len(string(#))))";
const env = environment(new Map());

Deno.test("meter: an evaluation that takes too long fails with the limit, its duration and its place", () => {
  const meter = new EvaluationMeter({ now: ticking(600), all: 60_000, single: 1_000 });
  const error = assertThrows(() => withMeter(meter, () => evaluate(BUSY, env)), MeterError);
  assertEquals(error.reason, "an evaluation may take 1s, this one took 1.2s");
  assertEquals(error.message.split("\n")[1], ` | ${BUSY}`);
  assertEquals(error.isVariableMissing, false);
});

Deno.test("meter: evaluations add up under one meter, and all fail once its time is up", () => {
  const meter = new EvaluationMeter({ now: ticking(10), all: 100, single: 1_000 });
  const run = () => withMeter(meter, () => evaluateWhen("a == a"));
  assertEquals(run(), true);
  assertEquals(meter.isExhausted, false);
  const error = assertThrows(() => {
    for (let i = 0; i < 20; i++) run();
  }, MeterError);
  assertEquals(error.reason, "all evaluations together may take 0.1s, they took 0.1s");
  assertEquals(meter.isExhausted, true);
  assertThrows(run, MeterError);
  assertThrows(() => withMeter(meter, () => compileExpression("1 + 1")), MeterError);
  assertEquals(evaluateWhen("a == a"), true, "there is no meter outside of the act");
});

Deno.test("meter: an evaluation within its limit succeeds, and a meter resumes with the time spent before", () => {
  const meter = new EvaluationMeter({ now: ticking(1), all: 100_000, single: 100_000 });
  assertEquals(withMeter(meter, () => evaluate("1 + 1", env)), 2n);
  const spent = meter.spent;
  assertEquals(spent > 0, true);
  withMeter(meter, () => evaluate("1 + 1", env));
  assertEquals(meter.spent > spent, true);
});

Deno.test("meter: only the inner of two nested meters measures, and the outer meter is restored afterwards", () => {
  const outer = new EvaluationMeter({ now: ticking(10), all: 60, single: 60 });
  const inner = new EvaluationMeter({ now: ticking(0), all: 1, single: 1 });
  withMeter(outer, () => withMeter(inner, () => assertEquals(evaluate(BUSY, env), 100_000n)));
  assertEquals(outer.spent, 0);
  assertThrows(() => withMeter(outer, () => evaluate(BUSY, env)), MeterError);
});

Deno.test("meter: the total limit also covers other work, and isOverdue reports afterwards that it was exceeded", () => {
  const whole = (limit: number) => new EvaluationMeter({ now: ticking(10), all: 60_000, single: 60_000, whole: limit });
  const meter = whole(55);
  const error = assertThrows(() => {
    for (let i = 0; i < 20; i++) withMeter(meter, checkWholeTime);
  }, MeterError);
  assertEquals(error.reason, "all of it may take 0.1s");
  assertEquals(meter.isOverdue, true);
  const unbounded = new EvaluationMeter({ now: ticking(1000), all: 1, single: 1 });
  withMeter(unbounded, checkWholeTime);
  assertEquals(unbounded.isOverdue, false);
});

Deno.test("meter: work that would exceed the total limit is not started", () => {
  let reads = 0;
  const meter = new EvaluationMeter({ now: () => (reads++, 0), all: 60_000, single: 60_000, whole: 20 });
  assertThrows(() => withMeter(meter, () => evaluate(`sprig.genPrivateKey("rsa")`, env)), MeterError);
  assertEquals(meter.isOverdue, true);
});

Deno.test("meter: a step longer than the step limit is not started, even if enough time is left", () => {
  const hasty = new EvaluationMeter({ now: () => 0, all: 60_000, single: 60_000, whole: 300, step: 100 });
  withMeter(hasty, () => checkWholeTime(100));
  assertEquals(withMeter(hasty, () => evaluate("1 + 1", env)), 2n);
  const authority = () => withMeter(hasty, () => evaluate(`sprig.genCA("x", 1).Cert`, env));
  assertThrows(authority, MeterError, "all of it may take 0.3s");
  assertEquals(hasty.isOverdue, true);
});

Deno.test("countedAs(): a step counts as the given time, however long it takes, and does not start if less is left", () => {
  let time = 0;
  const meter = new EvaluationMeter({ now: () => time, all: 2000, single: 1000 });
  let began = 0;
  const search = () => withMeter(meter, () => metered(() => countedAs(800, () => (began++, time += 60_000))));
  search();
  assertEquals(meter.spent, 800);
  search();
  assertThrows(search, MeterError, "all evaluations together may take 2s");
  assertEquals(began, 2);
});
