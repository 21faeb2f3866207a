import { assertEquals, assertStrictEquals } from "@std/assert";
import { mergeParameters, parametersJson, withGlobalParameter } from "./parameter.ts";

const names = (parameters: readonly { name: string }[]) => parameters.map(({ name }) => name).join("");
const listOf = (text: string) => [...text].map((name) => ({ name }));

Deno.test("parametersJson: prints fields in a fixed order, without empty fields but with empty values", () => {
  const parameter = { description: "", enum: ["a"], value: "", name: "x", default: "d" };
  assertEquals(parametersJson([parameter]), '[{"name":"x","default":"d","value":"","enum":["a"]}]');
  assertEquals(parametersJson(undefined), "null");
});

Deno.test("mergeParameters: keeps the first list's order, then adds those of the next lists", () => {
  assertEquals(names(mergeParameters(listOf("ba"), undefined, listOf("acb"))), "bac");
});

Deno.test("mergeParameters: keeps the first of two parameters with the same name", () => {
  assertEquals(mergeParameters([{ name: "a", value: "1" }], [{ name: "a", value: "2" }]), [{ name: "a", value: "1" }]);
});

Deno.test("withGlobalParameter: adds an output once and replaces it if its value differs", () => {
  const first = withGlobalParameter([], { name: "o", value: "1", globalName: "g" });
  assertEquals(first, [{ name: "g", value: "1" }]);
  assertStrictEquals(withGlobalParameter(first, { name: "o", value: "1", globalName: "g" }), first);
  assertEquals(withGlobalParameter(first, { name: "o", value: "2", globalName: "g" }), [{ name: "g", value: "2" }]);
  assertStrictEquals(withGlobalParameter(first, { name: "o", value: "2" }), first);
  assertStrictEquals(withGlobalParameter(first, { name: "o", globalName: "g" }), first);
});
