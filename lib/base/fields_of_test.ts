import { assertEquals } from "@std/assert";
import { fieldsOf, isObject, itemsOf, textFieldsOf, textIn, textsIn } from "./fields_of.ts";
import { fieldsOfJson } from "./fields_of_json.ts";

const NO_OBJECTS: readonly unknown[] = [undefined, null, 7, "a", true, [], [{ a: 1 }]];

Deno.test("fieldsOf() gives the fields of an object, and none of anything else", () => {
  assertEquals(fieldsOf({ a: 1 }), { a: 1 });
  for (const value of NO_OBJECTS) assertEquals([isObject(value), fieldsOf(value)], [false, {}]);
});

Deno.test("fieldsOfJson() gives the fields of a text that says an object, and none of any other text", () => {
  assertEquals(fieldsOfJson('{"a":[1]}'), { a: [1] });
  for (const text of ["", "null", "[]", '"a"', "7", '{"a":', "<html>"]) assertEquals(fieldsOfJson(text), {});
  assertEquals(fieldsOfJson(`{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`), {});
});

Deno.test("textIn() and textsIn() take the fields that hold texts, also empty ones, and leave out the others", () => {
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

Deno.test("textFieldsOf() answers names that objects have by themselves like any other", () => {
  assertEquals(Object.entries(textFieldsOf(JSON.parse('{"__proto__":"p","toString":"t"}'))), [
    ["__proto__", "p"],
    ["toString", "t"],
  ]);
});

Deno.test("itemsOf() gives the items of a list, and none of anything else", () => {
  assertEquals(itemsOf([1, "a"]), [1, "a"]);
  for (const value of [undefined, null, "ab", { length: 1 }]) assertEquals(itemsOf(value), []);
});
