import { assert, assertEquals } from "@std/assert";
import { hasPassed, summaryOf } from "./summary.ts";

const passing = { passed: 5, skipped: [], failed: new Map(), unsteady: new Map(), millis: new Map() };

Deno.test("summaryOf: counts skipped tests by their missing requirement, and names the others", () => {
  const skipped = ["flies (skipped: needs wings)", "lands (skipped: needs wings)", "sings"];
  assertEquals(summaryOf({ ...passing, skipped }), [
    "2 skipped: needs wings",
    "1 skipped: sings",
    "5 passed, 0 failed, 3 skipped",
  ]);
});

Deno.test("summaryOf: lists each failed test on its own FAIL line, which the gate repeats", () => {
  const failed = new Map([["a_test.ts", ["adds", "flies"]]]);
  assert(!hasPassed({ ...passing, failed }));
  assertEquals(summaryOf({ ...passing, failed }), [
    "FAIL a_test.ts: adds",
    "FAIL a_test.ts: flies",
    "5 passed, 2 failed, 0 skipped",
  ]);
});

Deno.test("summaryOf: unsteady tests are listed, and more than three files of them fail the run", () => {
  const unsteady = (count: number) => new Map(Array.from({ length: count }, (_, index) => [`${index}_test.ts`, ["x"]]));
  assert(hasPassed({ ...passing, unsteady: unsteady(3) }));
  assertEquals(summaryOf({ ...passing, unsteady: unsteady(1) }), [
    "Unsteady: failed, then passed alone",
    "  0_test.ts: x",
    "5 passed, 0 failed, 0 skipped",
  ]);
  assert(!hasPassed({ ...passing, unsteady: unsteady(4) }));
  assertEquals(summaryOf({ ...passing, unsteady: unsteady(4) }).at(-1), "5 passed, 1 failed, 0 skipped");
});
