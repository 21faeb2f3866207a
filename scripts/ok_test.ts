import { assertEquals, assertMatch } from "@std/assert";
import { notRunHere, reasonsOfCheck, skippedTests, TestCounter, testCounts, whatFailed } from "./ok.ts";

Deno.test("testCounts() says what deno test counted, with and without steps and ignored tests", () => {
  assertEquals(testCounts("\nok | 21 passed | 0 failed (77ms)\n"), "21 passed, 0 failed, 0 skipped");
  assertEquals(
    testCounts("FAILED | 3 passed (12 steps) | 1 failed (1 step) | 2 ignored (1s)"),
    "3 passed, 1 failed, 2 skipped",
  );
});

Deno.test("testCounts() counts a run that ended without its closing line as a failure", () => {
  assertEquals(testCounts("error: Module not found"), "0 passed, 1 failed, 0 skipped");
});

Deno.test("skippedTests() counts what was skipped for the same reason, and names the rest", () => {
  const ignored = (name: string) => `${name} ... ignored (0ms)\n`;
  const output =
    `adds ... ok (1ms)\n${ignored("flies (skipped: needs wings)")}${ignored("lands (skipped: needs wings)")}` +
    `${ignored("sings")}\nok | 1 passed | 3 ignored (2s)\n`;
  assertEquals(skippedTests(output), ["2 skipped: needs wings", "1 skipped: sings"]);
});

Deno.test("whatFailed() begins with the errors of a run of tests, and leaves what other checks say whole", () => {
  const errors = " ERRORS \n\nadds => ./add_test.ts:1:6\nerror: 2 is not 3\n";
  assertEquals(whatFailed(`adds ... FAILED (1ms)\nflies ... ok (1ms)\n\n${errors}`), errors);
  assertEquals(whatFailed("a.ts is not formatted\n"), "a.ts is not formatted\n");
});

Deno.test("reasonsOfCheck() names each test that failed, with the first line of its error", () => {
  const output = " ERRORS \n\nit adds => ./add_test.ts:1:6\nerror: AssertionError: 2 is not 3\n  at x\n\n" +
    "it flies => ./fly_test.ts:9:6\nerror: Error: no wings\n\n FAILURES \n\nit adds => ./add_test.ts:1:6\n";
  assertEquals(reasonsOfCheck("test", 1, output), [
    "FAIL test: it adds => ./add_test.ts:1:6\n  AssertionError: 2 is not 3",
    "FAIL test: it flies => ./fly_test.ts:9:6\n  Error: no wings",
  ]);
});

Deno.test("reasonsOfCheck() says how a check that is no test ended, with its last lines", () => {
  assertEquals(reasonsOfCheck("arrows", 7, "1\n2\n\n3\n4\na.ts: imports b.ts\n"), [
    "FAIL arrows ended with 7\n  2\n  3\n  4\n  a.ts: imports b.ts",
  ]);
});

Deno.test("notRunHere() says what a clone does not run, and why, in one line", () => {
  assertEquals(notRunHere(() => true), undefined);
  assertMatch(
    notRunHere(() => false) ?? "",
    /^Not run: the golden vectors .* and the conformance suite, because [^\n]*$/,
  );
});

Deno.test("TestCounter counts tests that have ended, wherever the pieces of the output begin", () => {
  const counter = new TestCounter();
  const output = "./a_test.ts => it adds ... ok (2ms)\n./a_test.ts => it flies ... FAILED (1s)\n" +
    "'it waits' has been running for over (1m0s)\n./b_test.ts => it swims (skipped) ... ignored (0ms)\nit waits ... ";
  for (const piece of output.match(/.{1,7}/gs)!) counter.take(piece);
  assertEquals(counter.count, 3);
});
