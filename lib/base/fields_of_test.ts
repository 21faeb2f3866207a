import { assertEquals } from "@std/assert";
import { fieldsOf, isObject, itemsOf, textFieldsOf, textIn, textsIn } from "./fields_of.ts";
import { fieldsOfJson } from "./fields_of_json.ts";

const NO_OBJECTS: readonly unknown[] = [undefined, null, 7, "a", true, [], [{ a: 1 }]];

Deno.test("fieldsOf: returns the fields of an object, and an empty result for any other value", () => {
  assertEquals(fieldsOf({ a: 1 }), { a: 1 });
  for (const value of NO_OBJECTS) assertEquals([isObject(value), fieldsOf(value)], [false, {}]);
});

Deno.test("fieldsOfJson: returns the fields of a JSON object, and an empty result for any other text", () => {
  assertEquals(fieldsOfJson('{"a":[1]}'), { a: [1] });
  for (const text of ["", "null", "[]", '"a"', "7", '{"a":', "<html>"]) assertEquals(fieldsOfJson(text), {});
  assertEquals(fieldsOfJson(`{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`), {});
});

Deno.test("textIn, textsIn: return strings, including empty ones, and omit other values", () => {
  const fields = { a: "x", b: "", c: 7, d: null };
  assertEquals([textIn(fields, "a"), textIn(fields, "b"), textIn(fields, "c"), textIn(fields, "e")], [
    "x",
    "",
    undefined,
    undefined,
  ]);
  assertEquals(textsIn(fields, ["a", "b", "c", "d"]), { a: "x", b: "" });
  assertEquals({ ...textFieldsOf(fields) }, { a: "x", b: "" });
});

Deno.test("textFieldsOf: treats names of inherited fields like any other", () => {
  assertEquals(Object.entries(textFieldsOf(JSON.parse('{"__proto__":"p","toString":"t"}'))), [
    ["__proto__", "p"],
    ["toString", "t"],
  ]);
});

Deno.test("itemsOf: returns the items of a list, and an empty list for any other value", () => {
  assertEquals(itemsOf([1, "a"]), [1, "a"]);
  for (const value of [undefined, null, "ab", { length: 1 }]) assertEquals(itemsOf(value), []);
});
