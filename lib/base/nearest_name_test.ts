import { assertEquals } from "@std/assert";
import { didYouMean, nearestName } from "./nearest_name.ts";

Deno.test("The candidate that differs least is meant", () => {
  assertEquals(nearestName("hell0", ["hello", "help", "world"]), "hello");
});

Deno.test("Letter case alone is a small mistake", () => {
  assertEquals(nearestName("withitems", ["withParam", "withItems"]), "withItems");
});

Deno.test("Two letters in the wrong order are one mistake", () => {
  assertEquals(nearestName("mian", ["main", "mind"]), "main");
});

Deno.test("Of a dotted name, the last part decides how much may differ", () => {
  assertEquals(nearestName("inputs.parameters.typo", ["inputs.parameters.who"]), undefined);
  assertEquals(nearestName("inputs.parameters.woh", ["inputs.parameters.who"]), "inputs.parameters.who");
});

Deno.test("A name of one letter is never misspelled", () => {
  assertEquals(nearestName("a", ["b"]), undefined);
});

Deno.test("A name of absurd length is never misspelled", () => {
  assertEquals(nearestName("a".repeat(1_000), ["a".repeat(999)]), undefined);
});

Deno.test("A name unlike all candidates suggests nothing", () => {
  assertEquals(nearestName("nope", ["main", "other"]), undefined);
  assertEquals(didYouMean("nope", ["main"]), "");
});

Deno.test("The suggestion is worded to follow a message", () => {
  assertEquals(didYouMean("templte", ["template"]), '; did you mean "template"?');
});
