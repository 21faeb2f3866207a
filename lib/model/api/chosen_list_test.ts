/** Tests of values that are lists of choices. */
import { assertEquals } from "@std/assert";
import { chosenValues, isAmong } from "./chosen_list.ts";

Deno.test("chosenValues(): accepts a JSON list of plain values only", () => {
  assertEquals(chosenValues(' ["eu", 2, true]'), ["eu", "2", "true"]);
  assertEquals(chosenValues("[]"), []);
  for (
    const other of ["eu", "", "[", '{"a":1}', '[["eu"]]', "[null]", `["${"x".repeat(65_536)}"]`, "[".repeat(60_000)]
  ) {
    assertEquals(chosenValues(other), undefined, other.slice(0, 20));
  }
});

Deno.test("isAmong(): accepts one of the choices, or a list of some", () => {
  const choices = ["eu", "us", '["all"]'];
  const values = ["eu", '["us","eu"]', "[]", '["all"]', '["mars"]', "mars", ""];
  assertEquals(values.map((value) => isAmong(choices, value)), [true, true, true, true, false, false, false]);
});
