import { assertEquals, assertThrows } from "@std/assert";
import { lineFilter } from "./line_filter.ts";

Deno.test("lineFilter() finds an expression in Go's syntax anywhere in a line", () => {
  const lines = ["Error: none", "an error", "fine"];
  assertEquals(lines.filter(lineFilter("(?i)error")), ["Error: none", "an error"]);
  assertEquals(lines.filter(lineFilter(String.raw`^\pL+$`)), ["fine"]);
  assertEquals(lines.filter(lineFilter(undefined)), lines);
});

Deno.test("lineFilter() takes linear time for expressions with catastrophic backtracking in other engines", () => {
  const line = `${"a".repeat(50_000)}!`;
  assertEquals(lineFilter("^(a+)+$")(line), false);
  assertEquals(lineFilter("(a|a)*b")(line), false);
});

Deno.test("lineFilter() rejects invalid expressions with Go's message", () => {
  assertThrows(() => lineFilter("a(?=b)"), Error, "error parsing regexp");
  assertThrows(() => lineFilter("("), Error, "missing closing )");
});
