import { assertEquals, assertThrows } from "@std/assert";
import { LIMITS } from "./limits.ts";
import { parseJson } from "./bounded_json.ts";

const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

Deno.test("parseJson: accepts the maximum nesting depth of an object", () => {
  assertEquals(parseJson('{"a": [1, "}]\\"", null]}'), { a: [1, '}]"', null] });
  parseJson(lists(LIMITS.depth));
  parseJson(`[${Array.from({ length: 1000 }, () => lists(LIMITS.depth - 1)).join()}]`);
});

Deno.test("parseJson: ignores brackets and escapes inside strings", () => {
  const value = { [lists(300)]: ["[".repeat(300), `\\"${"{".repeat(300)}`, `\\\\"${"[".repeat(300)}\\`] };
  assertEquals(parseJson(JSON.stringify(value)), value);
});

const TOO_DEEP: Readonly<Record<string, readonly [text: string, path: string]>> = {
  "by one level": [lists(LIMITS.depth + 1), "[0][0][0][0][0][0][0][0][0][0]"],
  "by a million levels that nobody closes": ["[".repeat(1_000_000), "[0][0][0][0][0][0][0][0][0][0]"],
  "behind other fields": [
    `{"a": {"x": []}, "workflow" : {"b": ["c:d", {}, {"e \\"f": ${lists(300)}}]}}`,
    'workflow.b[2]["e \\"f"][0][0][0][0][0][0]',
  ],
};

for (const [title, [text, path]] of Object.entries(TOO_DEEP)) {
  Deno.test(`parseJson: rejects too deep nesting with the path: ${title}`, () => {
    const error = assertThrows(() => parseJson(text), SyntaxError);
    assertEquals(error.message, `${path}: lists and objects are nested more than 200 levels deep`);
  });
}

Deno.test("parseJson: throws the error of the parser for invalid JSON", () => {
  const words = assertThrows(() => JSON.parse('{"a": [1,}'), SyntaxError).message;
  assertThrows(() => parseJson('{"a": [1,}'), SyntaxError, words);
  assertThrows(() => parseJson(`{"a": "${"[".repeat(300)}`), SyntaxError);
});

Deno.test("parseJson: rejects a text with too many values, not counting commas and brackets in strings", () => {
  const values = 100;
  for (const document of ["{}", "[]", "1", '"a"', '{"a":1}']) {
    const list = (count: number) => `[${Array(count).fill(document).join()}]`;
    const each = document === '{"a":1}' ? 2 : 1;
    parseJson(list(Math.floor((values - 2) / (2 * each))), { values });
    assertThrows(() => parseJson(list(values + 1), { values }), SyntaxError, "the text has more than 100 values");
  }
  assertEquals(parseJson(JSON.stringify("[{,".repeat(100)), { values }), "[{,".repeat(100));
});
