import { assertEquals } from "@std/assert";
import { skippedTests, testCounts } from "./ok.ts";

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

Deno.test("skippedTests() names the tests that were skipped", () => {
  const output =
    "adds ... ok (1ms)\nflies (skipped: needs wings) ... ignored (0ms)\n\nok | 1 passed | 1 ignored (2s)\n";
  assertEquals(skippedTests(output), ["flies (skipped: needs wings)"]);
});
