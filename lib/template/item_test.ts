import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";

Deno.test("an item is known by how its JSON begins; null counts as a list", () => {
  assertEquals(['"1"', "1.50", "false", "[1]", "null", "{}"].map((json) => Item.parse(json).kind), [
    "String",
    "Number",
    "Bool",
    "List",
    "List",
    "Map",
  ]);
});

Deno.test("a number too large for a float is a string without a value", () => {
  const item = Item.parse("1e400");
  assertEquals([item.kind, item.text, item.stringValue], ["String", "1e400", ""]);
});

Deno.test("an item prints as it was written, without spaces", () => {
  assertEquals(Item.parse(' [ 1.0, {"b" : 2, "a":1} ] ').text, '[1.0,{"b":2,"a":1}]');
  assertEquals(Item.parse("12345678901234567890").text, "12345678901234567890");
});

Deno.test("a string prints without quotes but with its escapes, and has a value without either", () => {
  const item = Item.parse(String.raw`"a\"<\u00e9"`);
  assertEquals(item.text, String.raw`a\"<\u00e9`);
  assertEquals(item.stringValue, 'a"<é');
});

Deno.test("half a pair of surrogates is kept as written, but is no value", () => {
  const item = Item.parse('"\\ud800x"');
  assertEquals([item.text, item.stringValue], ["\\ud800x", "\ufffdx"]);
});

Deno.test("a map gives its JSON with sorted keys and each field by name", () => {
  assertEquals(Item.parse('{"b":"x","a":{"d":1,"c":2}}').scope(), [
    ["item", '{"a":{"d":1,"c":2},"b":"x"}'],
    ["item.a", '{"d":1,"c":2}'],
    ["item.b", "x"],
  ]);
});

Deno.test("a repeated key has its last value", () => {
  assertEquals(Item.parse('{"a":1,"a":2}').scope(), [["item", '{"a":2}'], ["item.a", "2"]]);
});

Deno.test("commas and brackets within strings do not split an item", () => {
  assertEquals(Item.parse(String.raw`["a,]","\"}",{"k":"}{"}]`).description, String.raw`[a,] \"} {"k":"}{"}]`);
});

Deno.test("a list of items is read from JSON, anything else is none", () => {
  assertEquals(Item.parseList('["a", 1.0]')!.map(({ text }) => text), ["a", "1.0"]);
  assertEquals(Item.parseList("null"), []);
  assertEquals(Item.parseList("{}"), undefined);
  assertThrows(() => Item.parseList("[1,"), TemplateError);
});
