import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { Item } from "./item.ts";

Deno.test("Item: the kind depends on how the JSON begins; null counts as a list", () => {
  assertEquals(['"1"', "1.50", "false", "[1]", "null", "{}"].map((json) => Item.parse(json).kind), [
    "String",
    "Number",
    "Bool",
    "List",
    "List",
    "Map",
  ]);
});

Deno.test("Item: a number too large for a float is a string with an empty value", () => {
  const item = Item.parse("1e400");
  assertEquals([item.kind, item.text, item.stringValue], ["String", "1e400", ""]);
});

Deno.test("Item: the text is as written, without spaces", () => {
  assertEquals(Item.parse(' [ 1.0, {"b" : 2, "a":1} ] ').text, '[1.0,{"b":2,"a":1}]');
  assertEquals(Item.parse("12345678901234567890").text, "12345678901234567890");
});

Deno.test("Item: the text of a string has its escapes but no quotes, its value has neither", () => {
  const item = Item.parse(String.raw`"a\"<\u00e9"`);
  assertEquals(item.text, String.raw`a\"<\u00e9`);
  assertEquals(item.stringValue, 'a"<é');
});

Deno.test("Item: a lone surrogate is kept in the text and replaced in the value", () => {
  const item = Item.parse('"\\ud800x"');
  assertEquals([item.text, item.stringValue], ["\\ud800x", "\ufffdx"]);
});

Deno.test("Item: a map has its JSON with sorted keys, and each field by name", () => {
  assertEquals(Item.parse('{"b":"x","a":{"d":1,"c":2}}').scope(), [
    ["item", '{"a":{"d":1,"c":2},"b":"x"}'],
    ["item.a", '{"d":1,"c":2}'],
    ["item.b", "x"],
  ]);
});

Deno.test("Item: the last value of a repeated key is used", () => {
  assertEquals(Item.parse('{"a":1,"a":2}').scope(), [["item", '{"a":2}'], ["item.a", "2"]]);
});

Deno.test("Item: commas and brackets within strings do not split a list", () => {
  assertEquals(Item.parse(String.raw`["a,]","\"}",{"k":"}{"}]`).description, String.raw`[a,] \"} {"k":"}{"}]`);
});

Deno.test("Item.parseList: parses a JSON list and returns undefined for other JSON", () => {
  assertEquals(Item.parseList('["a", 1.0]')!.map(({ text }) => text), ["a", "1.0"]);
  assertEquals(Item.parseList("null"), []);
  assertEquals(Item.parseList("{}"), undefined);
  assertThrows(() => Item.parseList("[1,"), TemplateError);
});
