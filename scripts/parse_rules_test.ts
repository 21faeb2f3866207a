import { assertEquals, assertMatch } from "@std/assert";
import { judgeParsing } from "./parse_rules.ts";

Deno.test("judgeParsing: refuses JSON.parse, .json() and the YAML package in programs", () => {
  const refused: readonly [path: string, text: string, words: RegExp][] = [
    ["server/x.ts", "const value: unknown = JSON.parse(text);", /parseJson/],
    ["lib/x/y.ts", "texts.map(JSON.parse)", /parseJson/],
    ["local/x.ts", "fieldsOf(await response.json())", /parseJson/],
    ["cli/x.ts", 'import { parse } from "yaml";', /parseYaml/],
    ["ui/x.tsx", 'const { parse } = await import("yaml");', /parseYaml/],
  ];
  for (const [path, text, words] of refused) assertMatch(judgeParsing(path, text, {}) ?? "", words);
});

Deno.test("judgeParsing: permits bounded readers, tests, comments and files with a reason", () => {
  const permitted: readonly [path: string, text: string][] = [
    ["server/x.ts", "parseJson(text); parseYaml(text); Response.json({});"],
    ["server/x.ts", "/** Unlike `JSON.parse`. */\n// JSON.parse(text)"],
    ["server/x_test.ts", "JSON.parse(text);"],
    ["scripts/x.ts", "JSON.parse(text);"],
    ["lib/model/yaml/x.ts", 'import { Lexer } from "yaml";'],
  ];
  for (const [path, text] of permitted) assertEquals(judgeParsing(path, text, {}), undefined);
  assertEquals(judgeParsing("server/x.ts", "JSON.parse(text);", { "server/x.ts": "its own text" }), undefined);
});

Deno.test("judgeParsing: a file with a reason that parses nothing is reported", () => {
  assertMatch(judgeParsing("server/x.ts", "parseJson(text);", { "server/x.ts": "its own text" }) ?? "", /remove it/);
});
