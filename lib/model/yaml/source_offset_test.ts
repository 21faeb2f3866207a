import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseYaml, positionOf, stringifyYaml } from "./mod.ts";
import { sourceOffset } from "./source_offset.ts";

function textAt(source: string, value: string, part: string): string {
  return source.slice(sourceOffset(source, value, value.indexOf(part))).slice(0, part.length);
}

Deno.test("sourceOffset: handles quotes, escapes and doubled quotes", () => {
  assertEquals(textAt("a b c", "a b c", "c"), "c");
  assertEquals(textAt("'it''s c'", "it's c", "c"), "c");
  assertEquals(textAt('"\\t\\u00e9\\x41 \\U0001F600 c"', "\té" + "A 😀 c", "c"), "c");
});

Deno.test("sourceOffset: handles folded lines and indentation", () => {
  assertEquals(textAt("a\n   b\n\n   c", "a b\nc", "c"), "c");
  assertEquals(textAt("|\n  a\n    b\n  c\n", "a\n  b\nc\n", "c"), "c");
  assertEquals(textAt(">-\n  a\n  b\n\n  c\n", "a b\nc", "c"), "c");
  assertEquals(textAt('"a \\\n   b\n   c"', "a b c", "c"), "c");
});

Deno.test("sourceOffset: finds a word in any style of text", () => {
  const words = fc.array(fc.constantFrom("a", "b", "é", "😀", "'", '"', ":", "#", "\\", "\t", " ", "  ", "\n", "- "));
  fc.assert(fc.property(words, words, (before, behind) => {
    const value = `${before.join("")}WORD${behind.join("")}`;
    const text = stringifyYaml({ key: value });
    for (const document of parseYaml(text)) {
      const { line, column } = positionOf(document, "key", value.indexOf("WORD"));
      assertEquals(text.split("\n")[line - 1]?.slice(column - 1).slice(0, 4), "WORD");
    }
  }));
});
