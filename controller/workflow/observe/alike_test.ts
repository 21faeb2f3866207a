import { assertEquals, assertStrictEquals } from "@std/assert";
import { alike } from "./alike.ts";

Deno.test("alike() answers the very same part for all that say the same", () => {
  const [first, second] = [alike({ phase: "Succeeded" }), alike({ phase: "Succeeded" })];
  assertStrictEquals(first, second);
  assertEquals(alike({ phase: "Failed" }), { phase: "Failed" });
});

Deno.test("alike() keeps no part that is long", () => {
  const [first, second] = [alike({ text: "x".repeat(1000) }), alike({ text: "x".repeat(1000) })];
  assertEquals(first === second, false);
  assertEquals(first, second);
});
