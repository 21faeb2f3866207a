import { assertEquals } from "@std/assert";
import { problemsOf } from "./case_coverage.ts";
import { SERVER_CASES } from "./server_cases/mod.ts";

Deno.test("every case of the server is asked somewhere, or says why not; the tests that the table names are there", async () => {
  assertEquals(await problemsOf(SERVER_CASES, new URL("../", import.meta.url)), []);
});
