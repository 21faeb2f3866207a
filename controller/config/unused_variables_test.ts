import { assertEquals } from "@std/assert";
import { VARIABLES } from "./environment.ts";
import { UNUSED_VARIABLES, unusedVariables } from "./unused_variables.ts";

Deno.test("unusedVariables() names those of Argo's variables that are set and change nothing", () => {
  const env: Record<string, string> = { RETRY_BACKOFF_STEPS: "9", HEALTHZ_AGE: "", POD_NAMES: "v1" };
  assertEquals(unusedVariables((name) => env[name]), ["RETRY_BACKOFF_STEPS"]);
});

Deno.test("a variable is read or has a reason why it is not, and never both", () => {
  assertEquals(Object.keys(UNUSED_VARIABLES).filter((name) => Object.hasOwn(VARIABLES, name)), []);
});
