/** The results of the bench as they are printed. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { linesOf, textOf, wholeOf } from "./report.ts";

const LINES = linesOf(
  "gone",
  { "server back to list right": 1200, "stale rows": 0 },
  { "server back to list right": Infinity, "stale rows": 10 },
);

Deno.test("a line has the figures of both pages, the bound, and whether it is kept", () => {
  assertEquals(LINES.map(({ id, bound, isKept }) => [id, bound, isKept]), [["B-13", "≤ 2,000", true], [
    "B-13",
    "≤ 0",
    true,
  ]]);
  const [first = "", second = ""] = textOf(LINES, true).split("\n");
  assertStringIncludes(first, "1,200 ms");
  assertStringIncludes(first, "✔     never");
  assertStringIncludes(second, "10");
});

Deno.test("a figure that a page has not got is a dash, and no budget that is missed", () => {
  const [line] = linesOf("gone", {}, undefined);
  assertEquals(line?.isKept, undefined);
  assertStringIncludes(textOf([line!], false), "–");
});

Deno.test("the results are a table in Markdown, and JSON without numbers that it has not got", () => {
  const results = {
    lines: LINES,
    notes: [{ scene: "tree", page: "Argo", text: "it has no tree" }],
    load: [0.1, 0.2, 0.3],
    processors: 2,
    withArgo: true,
  };
  assertEquals(wholeOf(results, "text"), undefined);
  assertStringIncludes(
    wholeOf(results, "markdown")!,
    "| B-13 | gone | server back to list right | ≤ 2,000 ms | 1,200 ms | never |  |\n",
  );
  assertStringIncludes(wholeOf(results, "markdown")!, "- tree, Argo: it has no tree\n");
  assertEquals(JSON.parse(wholeOf(results, "json")!).lines[0].argos, "never");
});
