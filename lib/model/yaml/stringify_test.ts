import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { parseYaml } from "./parse.ts";
import { stringifyYaml } from "./stringify.ts";

Deno.test("stringifyYaml: sorts keys and writes lists at the indentation of their key", () => {
  assertEquals(stringifyYaml({ b: [1, { d: 1, c: 2 }], a: "x" }), "a: x\nb:\n- 1\n- c: 2\n  d: 1\n");
});

Deno.test("stringifyYaml: quotes ambiguous text", () => {
  const texts = ["yes", "y", "0755", "1_000", "null", "", "1e3", "2020-01-02T03:04:05Z", "12:30:45", "plain"];
  assertEquals(
    stringifyYaml(texts),
    '- "yes"\n- "y"\n- "0755"\n- "1_000"\n- "null"\n- ""\n- "1e3"\n- "2020-01-02T03:04:05Z"\n- "12:30:45"\n- plain\n',
  );
});

Deno.test("stringifyYaml: multi-line text is a block", () => {
  assertEquals(stringifyYaml({ a: "x\ny\n", b: "x\ny" }), "a: |\n  x\n  y\nb: |-\n  x\n  y\n");
});

Deno.test("stringifyYaml: does not fold long text", () => {
  const text = "word ".repeat(60).trim();
  assertEquals(stringifyYaml({ text }), `text: ${text}\n`);
});

Deno.test("stringifyYaml: parsing the result returns the value", () => {
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
    const normal: unknown = JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"'));
    const [document] = parseYaml(stringifyYaml([normal]));
    assertEquals(document?.errors, []);
    assertEquals(document?.value as unknown, [normal]);
  }));
});
