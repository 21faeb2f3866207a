import { assertEquals, assertStrictEquals } from "@std/assert";
import { alike, withSharedTexts } from "./alike.ts";

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

Deno.test("withSharedTexts() leaves an object as it was, whatever it holds", () => {
  let deep: unknown = "deep";
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  const make = () => ({ a: "x", b: [1, null, "x", { c: "y".repeat(100) }], d: true, deep });
  const object = make();
  const given = withSharedTexts(object);
  assertStrictEquals(given, object);
  assertStrictEquals(given.deep, deep);
  assertEquals([given.a, given.b, given.d], ["x", make().b, true]);
});
