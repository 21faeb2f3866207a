import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { jsonSyntaxError } from "./json_syntax.ts";

/** Texts, and the messages of Go's `json.Unmarshal` for them. */
const CASES: readonly (readonly [string, string | undefined])[] = [
  ["", "unexpected end of JSON input"],
  ["not json", "invalid character 'o' in literal null (expecting 'u')"],
  ["two", "invalid character 'w' in literal true (expecting 'r')"],
  ["tru", "unexpected end of JSON input"],
  ["hello", "invalid character 'h' looking for beginning of value"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["[1, 2", "unexpected end of JSON input"],
  ["[1 2]", "invalid character '2' after array element"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["{a: 1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a": 1 "b"}', "invalid character '\"' after object key:value pair"],
  ['{"a": 1,}', "invalid character '}' looking for beginning of object key string"],
  ["1 2", "invalid character '2' after top-level value"],
  ["01", "invalid character '1' after top-level value"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1ex", "invalid character 'x' in exponent of numeric literal"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\q"', "invalid character 'q' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['{"a": [1, {"b": null}], "c": -0.5e+3}', undefined],
  [" [] ", undefined],
];

for (const [text, message] of CASES) {
  Deno.test(`jsonSyntaxError: of ${JSON.stringify(text)} is ${message ?? "none"}`, () => {
    assertEquals(jsonSyntaxError(text), message);
  });
}

Deno.test("jsonSyntaxError: agrees with JSON.parse about the validity of a text", () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(fc.property(fc.json(), (text) => assertEquals(jsonSyntaxError(text), undefined)));
  const near = fc.array(fc.constantFrom(...'{}[]",:01-.eE+ truefalsn\\u'), { maxLength: 12 }).map((parts) =>
    parts.join("")
  );
  fc.assert(fc.property(near, (text) => assertEquals(jsonSyntaxError(text) === undefined, isJson(text), text)));
});

Deno.test("jsonSyntaxError: reads deeply nested lists", () => {
  assertEquals(jsonSyntaxError("[".repeat(100_000)), "unexpected end of JSON input");
});
