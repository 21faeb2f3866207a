import { assertEquals } from "@std/assert";
import { containsTag, isDisplayName, isMemoKey, parameterNameErrors, stepNameErrors } from "./name_rules.ts";

Deno.test("stepNameErrors: a name has letters, digits and hyphens, and does not begin with a hyphen", () => {
  assertEquals(stepNameErrors("my-step-1"), []);
  for (const name of ["", "-a", "a_b", "a b", "é"]) assertEquals(stepNameErrors(name).length, 1, name);
  assertEquals(stepNameErrors("a".repeat(129)).length, 1);
});

Deno.test("stepNameErrors: the length is counted in bytes although the message names characters", () => {
  assertEquals(stepNameErrors("a".repeat(129)), ["must be no more than 128 characters"]);
  assertEquals(stepNameErrors("é".repeat(65))[0], "must be no more than 128 characters");
});

Deno.test("stepNameErrors: accepts a placeholder within a name", () => {
  assertEquals(stepNameErrors("run-__argo__internal__placeholder-12"), []);
  assertEquals(stepNameErrors("run_-__argo__internal__placeholder-12").length, 1);
});

Deno.test("parameterNameErrors: a name may have underscores but no dots", () => {
  assertEquals(parameterNameErrors("_my-param"), []);
  for (const name of ["", "a.b", "a b", "{{x}}"]) assertEquals(parameterNameErrors(name).length, 1, name);
});

Deno.test("containsTag: is true for a simple tag and false for an expression", () => {
  assertEquals(containsTag("x{{a.b-c_d}}y"), true);
  assertEquals(containsTag("{{=a}}"), false);
  assertEquals(containsTag("{{a"), false);
});

Deno.test("isDisplayName: a name has 2 to 63 characters and ends in a letter or digit", () => {
  for (const name of ["ab", "a-b", "a".repeat(63)]) assertEquals(isDisplayName(name), true, name);
  for (const name of ["a", "ab-", "a".repeat(64)]) assertEquals(isDisplayName(name), false, name);
});

Deno.test("isMemoKey: rejects underscores and unresolved tags", () => {
  assertEquals(isMemoKey("my-key-1"), true);
  assertEquals(isMemoKey("hello_world"), false);
  assertEquals(isMemoKey("{{x}}"), false);
});
