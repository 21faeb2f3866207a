/** The formatted results of the bench. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatAll, linesOf, textOf } from "./report.ts";

const LINES = linesOf(
  "gone",
  { "from server restart to correct list": 1200, "stale rows": 0 },
  { "from server restart to correct list": Infinity, "stale rows": 10 },
);

Deno.test("report: a line has the values of both pages, the bound, and whether it is met", () => {
  assertEquals(LINES.map(({ id, bound, isWithinBudget }) => [id, bound, isWithinBudget]), [["B-13", "≤ 2,000", true], [
    "B-13",
    "≤ 0",
    true,
  ]]);
  const [first = "", second = ""] = textOf(LINES, true).split("\n");
  assertStringIncludes(first, "1,200 ms");
  assertStringIncludes(first, "✔     never");
  assertStringIncludes(second, "10");
});

Deno.test("report: a missing value is a dash, and does not exceed its budget", () => {
  const [line] = linesOf("gone", {}, undefined);
  assertEquals(line?.isWithinBudget, undefined);
  assertStringIncludes(textOf([line!], false), "–");
});

Deno.test("report: Markdown is a table, and JSON has no number for a missing value", () => {
  const results = {
    lines: LINES,
    notes: [{ scene: "tree", page: "Argo", text: "it has no tree" }],
    load: [0.1, 0.2, 0.3],
    processors: 2,
    withArgo: true,
  };
  assertEquals(formatAll(results, "text"), undefined);
  assertStringIncludes(
    formatAll(results, "markdown")!,
    "| B-13 | gone | from server restart to correct list | ≤ 2,000 ms | 1,200 ms | never |  |\n",
  );
  assertStringIncludes(formatAll(results, "markdown")!, "- tree, Argo: it has no tree\n");
  assertEquals(JSON.parse(formatAll(results, "json")!).lines[0].argos, "never");
});
