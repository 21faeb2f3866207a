import { assertEquals } from "@std/assert";
import { holdsTag, isDisplayName, isMemoKey, parameterNameErrors, stepNameErrors } from "./name_rules.ts";

Deno.test("names of steps have letters, digits and hyphens, and begin with no hyphen", () => {
  assertEquals(stepNameErrors("my-step-1"), []);
  for (const name of ["", "-a", "a_b", "a b", "é"]) assertEquals(stepNameErrors(name).length, 1, name);
  assertEquals(stepNameErrors("a".repeat(129)).length, 1);
});

Deno.test("the length of a name is counted in bytes, whatever the message calls them", () => {
  assertEquals(stepNameErrors("a".repeat(129)), ["must be no more than 128 characters"]);
  assertEquals(stepNameErrors("é".repeat(65))[0], "must be no more than 128 characters");
});

Deno.test("a placeholder within the name of a step is no fault", () => {
  assertEquals(stepNameErrors("run-__argo__internal__placeholder-12"), []);
  assertEquals(stepNameErrors("run_-__argo__internal__placeholder-12").length, 1);
});

Deno.test("names of parameters may have underscores but no dots", () => {
  assertEquals(parameterNameErrors("_my-param"), []);
  for (const name of ["", "a.b", "a b", "{{x}}"]) assertEquals(parameterNameErrors(name).length, 1, name);
});

Deno.test("a text that holds a simple tag is known as such, an expression is not", () => {
  assertEquals(holdsTag("x{{a.b-c_d}}y"), true);
  assertEquals(holdsTag("{{=a}}"), false);
  assertEquals(holdsTag("{{a"), false);
});

Deno.test("display names have 2 to 63 characters and end in a letter or digit", () => {
  for (const name of ["ab", "a-b", "a".repeat(63)]) assertEquals(isDisplayName(name), true, name);
  for (const name of ["a", "ab-", "a".repeat(64)]) assertEquals(isDisplayName(name), false, name);
});

Deno.test("memo keys have no underscore and no tag left in them", () => {
  assertEquals(isMemoKey("my-key-1"), true);
  assertEquals(isMemoKey("hello_world"), false);
  assertEquals(isMemoKey("{{x}}"), false);
});
