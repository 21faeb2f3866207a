import { assertEquals, assertThrows } from "@std/assert";
import { lineFilter } from "./line_filter.ts";

Deno.test("lineFilter() finds an expression of Go's syntax anywhere in a line", () => {
  const lines = ["Error: none", "an error", "fine"];
  assertEquals(lines.filter(lineFilter("(?i)error")), ["Error: none", "an error"]);
  assertEquals(lines.filter(lineFilter(String.raw`^\pL+$`)), ["fine"]);
  assertEquals(lines.filter(lineFilter(undefined)), lines);
});

Deno.test("lineFilter() ends for expressions that other engines try for ever", () => {
  const line = `${"a".repeat(50_000)}!`;
  assertEquals(lineFilter("^(a+)+$")(line), false);
  assertEquals(lineFilter("(a|a)*b")(line), false);
});

Deno.test("lineFilter() refuses what Go refuses, in Go's words", () => {
  assertThrows(() => lineFilter("a(?=b)"), Error, "error parsing regexp");
  assertThrows(() => lineFilter("("), Error, "missing closing )");
});
