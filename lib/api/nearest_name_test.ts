import { assertEquals } from "@std/assert";
import { didYouMean, nearestName } from "./nearest_name.ts";

Deno.test("The candidate that differs least is meant", () => {
  assertEquals(nearestName("hell0", ["hello", "help", "world"]), "hello");
});

Deno.test("Letter case alone is a small mistake", () => {
  assertEquals(nearestName("withitems", ["withParam", "withItems"]), "withItems");
});

Deno.test("A name unlike all candidates suggests nothing", () => {
  assertEquals(nearestName("nope", ["main", "other"]), undefined);
  assertEquals(didYouMean("nope", ["main"]), "");
});

Deno.test("The suggestion is worded to follow a message", () => {
  assertEquals(didYouMean("templte", ["template"]), '; did you mean "template"?');
});
