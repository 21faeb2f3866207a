import { assertEquals } from "@std/assert";
import { didYouMean, nearestName } from "./nearest_name.ts";

Deno.test("nearestName: returns the candidate with the fewest differences", () => {
  assertEquals(nearestName("hell0", ["hello", "help", "world"]), "hello");
});

Deno.test("nearestName: ignores letter case", () => {
  assertEquals(nearestName("withitems", ["withParam", "withItems"]), "withItems");
});

Deno.test("nearestName: counts two swapped letters as one difference", () => {
  assertEquals(nearestName("mian", ["main", "mind"]), "main");
});

Deno.test("nearestName: the last part of a dotted name sets the allowed difference", () => {
  assertEquals(nearestName("inputs.parameters.typo", ["inputs.parameters.who"]), undefined);
  assertEquals(nearestName("inputs.parameters.woh", ["inputs.parameters.who"]), "inputs.parameters.who");
});

Deno.test("nearestName: suggests nothing for a name of one letter", () => {
  assertEquals(nearestName("a", ["b"]), undefined);
});

Deno.test("nearestName: suggests nothing for a very long name", () => {
  assertEquals(nearestName("a".repeat(1_000), ["a".repeat(999)]), undefined);
});

Deno.test("nearestName: suggests nothing when no candidate is similar", () => {
  assertEquals(nearestName("nope", ["main", "other"]), undefined);
  assertEquals(didYouMean("nope", ["main"]), "");
});

Deno.test("didYouMean: returns a suffix for a message", () => {
  assertEquals(didYouMean("templte", ["template"]), '; did you mean "template"?');
});
