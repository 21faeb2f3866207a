import { assertEquals, assertStrictEquals } from "@std/assert";
import { sharedPart, withSharedTexts } from "./shared_parts.ts";

Deno.test("sharedPart(): returns the same object for all equal parts", () => {
  const [first, second] = [sharedPart({ phase: "Succeeded" }), sharedPart({ phase: "Succeeded" })];
  assertStrictEquals(first, second);
  assertEquals(sharedPart({ phase: "Failed" }), { phase: "Failed" });
});

Deno.test("sharedPart(): does not store long parts", () => {
  const [first, second] = [sharedPart({ text: "x".repeat(1000) }), sharedPart({ text: "x".repeat(1000) })];
  assertEquals(first === second, false);
  assertEquals(first, second);
});

Deno.test("withSharedTexts(): does not change the contents of an object", () => {
  let deep: unknown = "deep";
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  const make = () => ({ a: "x", b: [1, null, "x", { c: "y".repeat(100) }], d: true, deep });
  const object = make();
  const given = withSharedTexts(object);
  assertStrictEquals(given, object);
  assertStrictEquals(given.deep, deep);
  assertEquals([given.a, given.b, given.d], ["x", make().b, true]);
});
