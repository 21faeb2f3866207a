import { assertEquals, assertThrows } from "@std/assert";
import { type CaseResult, judgeRun, readKnownFailures } from "./known_failures.ts";

const LIST =
  "# a comment\n\ncluster a/one it is slow\nboth b/two no such thing yet\nembedded c/three no network\nminimal d/four no check\n";

Deno.test("readKnownFailures: a place has its own cases and those of `both`; minimal CRDs have those of a cluster as well", () => {
  assertEquals([...readKnownFailures(LIST, "cluster").keys()], ["a/one", "b/two"]);
  assertEquals([...readKnownFailures(LIST, "embedded").keys()], ["b/two", "c/three"]);
  assertEquals([...readKnownFailures(LIST, "minimal").keys()], ["a/one", "b/two", "d/four"]);
});

Deno.test("readKnownFailures: refuses a case without a reason", () => {
  assertThrows(() => readKnownFailures("both a/one", "cluster"), Error, "Line 1");
});

Deno.test("judgeRun: distinguishes new, known and fixed failures, and cases that passed at the second attempt", () => {
  const unexpected: CaseResult = { id: "a/new", result: "fail", why: "x" };
  const unsteady: CaseResult = { id: "b/late", result: "pass", why: "", firstFailure: "timeout" };
  const results: CaseResult[] = [
    { id: "a/one", result: "fail", why: "x" },
    unexpected,
    { id: "b/two", result: "pass", why: "" },
    unsteady,
    { id: "b/skipped", result: "skip", why: "needs x" },
  ];
  assertEquals(judgeRun(results, readKnownFailures(LIST, "cluster")), {
    unexpected: [unexpected],
    expectedFailures: ["a/one"],
    fixed: ["b/two"],
    unsteady: [unsteady],
    counts: "2 passed, 1 failed, 2 skipped",
  });
});
