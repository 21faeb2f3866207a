import { assertEquals, assertThrows } from "@std/assert";
import { parseTable, withAnswers } from "./table.ts";

const TABLE = `# A comment.
kind: when
values: {"a": 1}

## Words are texts
a == a => true
mode: strict a
# another comment
b => c => d

## Another rule
c => 1
`;

Deno.test("parseTable: returns the rows of each rule with the settings that precede them", () => {
  const { kind, rules } = parseTable(TABLE);
  assertEquals(kind, "when");
  assertEquals(
    rules.map(({ title, rows }) => [title, rows.map(({ line, question, answer }) => [line, question, answer])]),
    [
      ["Words are texts", [[6, "a == a", "true"], [9, "b", "c => d"]]],
      ["Another rule", [[12, "c", "1"]]],
    ],
  );
  const [first, second] = rules[0]!.rows;
  assertEquals(first!.settings.get("mode"), undefined);
  assertEquals(second!.settings.get("mode"), "strict a");
  assertEquals(rules[1]!.rows[0]!.settings.get("mode"), undefined);
  assertEquals(rules[1]!.rows[0]!.settings.get("values"), '{"a": 1}');
});

Deno.test("parseTable: refuses an invalid row, a row without a rule, and a table without a kind", () => {
  assertThrows(() => parseTable("kind: when\n## A rule\nno arrow\n"), Error, "Line 3");
  assertThrows(() => parseTable("kind: when\na => b\n"), Error, "Line 2");
  assertThrows(() => parseTable("## A rule\na => b\n"), Error, "kind");
});

Deno.test("withAnswers: changes only the answers", () => {
  assertEquals(withAnswers(TABLE, new Map()), TABLE);
  assertEquals(withAnswers(TABLE, new Map([[9, "x"]])), TABLE.replace("c => d", "x"));
});
