import { assertEquals } from "@std/assert";
import { LIMITS } from "@tiphys/base/limits";
import { defaultConfig } from "../../config/config.ts";
import { isLarge, Paces, withSlice, WorkflowPace } from "./pace.ts";

Deno.test("lane: a workflow moves to the slow lane after its second overrun, not after the first", () => {
  const pace = new WorkflowPace();
  pace.recordOverrun();
  assertEquals(pace.isSlow, false);
  pace.recordOverrun();
  assertEquals(pace.isSlow, true);
});

Deno.test("lane: an overrun is forgotten after five passes in time, and not before", () => {
  const isSlowAfter = (passesInTime: number) => {
    const pace = new WorkflowPace();
    pace.recordOverrun();
    for (let pass = 0; pass < passesInTime; pass++) pace.recordInTime(1);
    pace.recordOverrun();
    return pace.isSlow;
  };
  assertEquals([0, 4, 5, 50].map(isSlowAfter), [true, true, false, false]);
});

/** The pace of a controller after its first passes, which may take longer. */
function warmPaces(): Paces {
  const paces = new Paces();
  for (let pass = 0; pass < 30; pass++) assertEquals(paces.next("before", 0).millis, 300);
  return paces;
}

Deno.test("lane: a pass may take longer if no other workflow had one for ten seconds", () => {
  const paces = warmPaces();
  const { fastPassMillis, lonePassMillis } = LIMITS;
  assertEquals(paces.next("large", 9_999).millis, fastPassMillis, "another workflow had a pass at 0");
  assertEquals(paces.next("large", 10_000).millis, lonePassMillis);
  assertEquals(paces.next("large", 10_100).millis, lonePassMillis, "passes of the same workflow do not count");
  assertEquals(paces.next("other", 10_200).millis, fastPassMillis);
  assertEquals(paces.next("large", 10_300).millis, fastPassMillis);
  assertEquals(paces.next("large", 20_199).millis, fastPassMillis);
  assertEquals(paces.next("large", 20_200).millis, lonePassMillis);
});

Deno.test("lane: workflows that alternate always have the usual time limit", () => {
  const paces = warmPaces();
  const taken = new Set<number>();
  for (let pass = 1; pass < 1000; pass++) taken.add(paces.next(`w${pass % 3}`, pass * 1000).millis);
  assertEquals([...taken], [LIMITS.fastPassMillis]);
});

Deno.test("lane: a workflow returns after ten consecutive short passes, and the next time after twice as many", () => {
  const pace = new WorkflowPace();
  const passesUntilBack = () => {
    pace.toSlowLane();
    for (let passes = 1;; passes++) if (pace.recordSlowLanePass(1, 1000)) return passes;
  };
  assertEquals(passesUntilBack(), 10);
  pace.toFastLane();
  assertEquals(passesUntilBack(), 20);
  for (let pass = 0; pass < 15; pass++) pace.recordSlowLanePass(1, 1000);
  pace.recordSlowLanePass(500, 1000);
  assertEquals(pace.recordSlowLanePass(1, 1000), false, "a long pass restarts the count");
});

Deno.test("isLarge(): recognizes long texts, many values and long lists, and visits no more than necessary", () => {
  const small = { metadata: { name: "w" }, spec: { templates: Array.from({ length: 100 }, () => ({ name: "a" })) } };
  assertEquals(isLarge(small), false);
  assertEquals(isLarge({ text: "x".repeat(300_000) }), true);
  assertEquals(isLarge({ list: Array.from({ length: 6_000 }, () => 1) }), true);
  assertEquals(isLarge({ lists: Array.from({ length: 2_000 }, () => [[[]]]) }), true);
  assertEquals(
    isLarge({ fields: Object.fromEntries(Array.from({ length: 6_000 }, (_, key) => [`k${key}`, 1])) }),
    true,
  );
  let nested: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  assertEquals(isLarge({ nested }), true);
});

Deno.test("withSlice(): returns the same object for the same settings, and keeps shorter limits", () => {
  const { engine } = defaultConfig({ executorImage: "argoexec:test" });
  assertEquals(withSlice(engine, 10).limits.passMillis, 10);
  assertEquals(withSlice(engine, 10) === withSlice(engine, 10), true);
  assertEquals(withSlice(engine, 1000) === engine, true);
});
