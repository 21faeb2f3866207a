import { assertEquals } from "@std/assert";
import { problemsOf } from "./case_coverage.ts";
import { SERVER_CASES } from "./server_cases/mod.ts";

Deno.test("server cases: each case has a test or a reason why it has no test, and the named tests exist", async () => {
  assertEquals(await problemsOf(SERVER_CASES, new URL("../", import.meta.url)), []);
});
