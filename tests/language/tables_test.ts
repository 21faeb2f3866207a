/**
 * The rules of the language, row by row: each table of `tables/` is documentation and a test. `REWRITE=1` writes the
 * actual answers, so that the diff can be reviewed.
 */
import { assert, assertEquals } from "@std/assert";
import { answerOf } from "./kinds.ts";
import { parseTable, withAnswers } from "./table.ts";

const FOLDER = new URL("tables/", import.meta.url);
const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".txt")).sort();

for (const file of files) {
  if (Deno.env.get("REWRITE") === "1") rewrite(new URL(file, FOLDER));
  const { kind, rules } = parseTable(Deno.readTextFileSync(new URL(file, FOLDER)));
  for (const { title, rows } of rules) {
    Deno.test(`${file.slice(0, -".txt".length)}: ${title}`, () => {
      assert(rows.length > 0, "a rule without a row");
      const wrong = rows.map((row) => ({ row, answer: answerOf(kind, row) })).filter(({ row, answer }) =>
        row.answer !== answer
      );
      const lines = wrong.map(({ row, answer }) =>
        `${file}:${row.line}: ${row.question} => ${answer}, not ${row.answer}`
      );
      assertEquals(lines.join("\n"), "");
    });
  }
}

function rewrite(table: URL): void {
  const text = Deno.readTextFileSync(table);
  const { kind, rules } = parseTable(text);
  const answers = new Map(rules.flatMap(({ rows }) => rows.map((row) => [row.line, answerOf(kind, row)] as const)));
  Deno.writeTextFileSync(table, withAnswers(text, answers));
}

Deno.test("tables: no question occurs twice with the same settings", () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const file of files) {
    const { kind, rules } = parseTable(Deno.readTextFileSync(new URL(file, FOLDER)));
    for (const { question, settings, line } of rules.flatMap(({ rows }) => rows)) {
      const key = JSON.stringify([kind, question, ...settings]);
      const before = seen.get(key);
      if (before !== undefined) twice.push(`${file}:${line} is ${before} again`);
      seen.set(key, `${file}:${line}`);
    }
  }
  assertEquals(twice, []);
});
