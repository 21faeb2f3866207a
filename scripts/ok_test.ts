import { assertEquals } from "@std/assert";
import { withFailedChecks } from "./ok.ts";

Deno.test("withFailedChecks: adds failed checks to the failed tests", () => {
  assertEquals(withFailedChecks("21 passed, 1 failed, 3 skipped", 2), "21 passed, 3 failed, 3 skipped");
});
