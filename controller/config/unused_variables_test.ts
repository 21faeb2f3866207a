import { assertEquals } from "@std/assert";
import { VARIABLES } from "./environment.ts";
import { UNUSED_VARIABLES, unusedVariables } from "./unused_variables.ts";

Deno.test("unusedVariables(): lists variables of Argo that are set and have no effect", () => {
  const env: Record<string, string> = { RETRY_BACKOFF_STEPS: "9", HEALTHZ_AGE: "", POD_NAMES: "v1" };
  assertEquals(unusedVariables((name) => env[name]), ["RETRY_BACKOFF_STEPS"]);
});

Deno.test("unused variables: every variable of Argo is either read or listed with a reason", () => {
  assertEquals(Object.keys(UNUSED_VARIABLES).filter((name) => Object.hasOwn(VARIABLES, name)), []);
});
