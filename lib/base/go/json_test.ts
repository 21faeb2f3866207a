import { assertEquals, assertThrows } from "@std/assert";
import { formatAsString, formatValue } from "./format_value.ts";
import { JsonError, marshalJson, unmarshalJson } from "./json.ts";
import { STRING_MAP } from "./type.ts";
import { GoDuration, GoMap, NIL_LIST, typeName, type Value } from "./value.ts";

Deno.test("marshalJson: sorts keys by byte and escapes HTML characters", () => {
  assertEquals(marshalJson({ b: 1n, a: ["<&>", null, true] }), '{"a":["\\u003c\\u0026\\u003e",null,true],"b":1}');
  assertEquals(marshalJson("<", { escapeHtml: false }), '"<"');
});

Deno.test("marshalJson: prints bytes as base64, durations as nanoseconds, nil lists as null", () => {
  assertEquals(marshalJson([new Uint8Array([97, 98]), new GoDuration(5n), NIL_LIST]), '["YWI=",5,null]');
});

Deno.test("marshalJson: indents by the given text and keeps empty lists on one line", () => {
  assertEquals(marshalJson({ a: [1n], b: [] }, { indent: "  " }), '{\n  "a": [\n    1\n  ],\n  "b": []\n}');
});

Deno.test("marshalJson: rejects values that JSON does not support", () => {
  assertThrows(() => marshalJson(Infinity), JsonError, "json: unsupported value: +Inf");
});

Deno.test("unmarshalJson: treats the key __proto__ like any other", () => {
  const value = unmarshalJson('{"__proto__": {"a": 1}}');
  assertEquals(marshalJson(value), '{"__proto__":{"a":1}}');
  assertEquals(formatValue(value), "map[__proto__:map[a:1]]");
});

Deno.test("unmarshalJson: every number is a float, and the last of equal keys wins", () => {
  assertEquals(unmarshalJson('{"a": 1, "a": 2}'), { a: 2 } as Value);
  assertEquals(typeName(unmarshalJson("1")), "float64");
});

Deno.test("unmarshalJson: reads keys with escapes and rejects too deep nesting", () => {
  const text = ' [ {"\\"" : 1 , "\\\\": [ ] , "\\u003c\\n": {} }, -1.5e3,null , "\\t,]}" ] ';
  assertEquals(unmarshalJson(text), [{ '"': 1, "\\": [], "<\n": {} }, -1500, null, "\t,]}"] as Value);
  const deep = 1_000_000;
  assertThrows(() => unmarshalJson(`${"[".repeat(deep)}"\\n"${"]".repeat(deep)}`), JsonError, "exceeded max depth");
});

Deno.test("unmarshalJson: reports syntax errors with Go's messages", () => {
  const cases: [string, string][] = [
    ["", "unexpected end of JSON input"],
    ["[1] x", "invalid character 'x' after top-level value"],
    ["not json", "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
  ];
  for (const [text, reason] of cases) assertThrows(() => unmarshalJson(text), JsonError, reason);
  assertThrows(() => unmarshalJson("1e999"), JsonError, "cannot unmarshal number");
});

Deno.test("formatValue: prints lists and maps as %v does", () => {
  assertEquals(formatValue([1n, "a b", null, 1e6]), "[1 a b <nil> 1e+06]");
  assertEquals(formatValue({ b: 1n, a: { c: [] } }), "map[a:map[c:[]] b:1]");
  assertEquals(formatValue(new GoMap(STRING_MAP, [["k", "v"]])), "map[k:v]");
});

Deno.test("formatAsString: marks values other than strings as %s does", () => {
  assertEquals([1n, null, "x", 1.5].map(formatAsString), ["%!s(int=1)", "%!s(<nil>)", "x", "%!s(float64=1.5)"]);
});

Deno.test("unmarshalJson: a number outside the range of float64 is an error, even for a repeated key", () => {
  for (const text of ["1e400", "[-1e400]", '{"a":1e400,"a":1}']) {
    assertThrows(() => unmarshalJson(text), JsonError, "cannot unmarshal number");
  }
});
