import { assertEquals } from "@std/assert";
import { fitLine, tableLines } from "./table.ts";

Deno.test("tableLines: aligns cells in columns", () => {
  assertEquals(tableLines([["A", "B"], ["long", "x"]]), ["A     B", "long  x"]);
});

Deno.test("tableLines: colors have no width, and wide characters have two columns", () => {
  assertEquals(tableLines([["\x1b[31mab\x1b[0m", "x"], ["漢", "y"]]), ["\x1b[31mab\x1b[0m  x", "漢  y"]);
});

Deno.test("tableLines: lines have no trailing spaces", () => {
  assertEquals(tableLines([["a", "", ""], ["b", "c", "d"]], 3), ["a", "b   c   d"]);
});

Deno.test("fitLine: cuts a long line and resets its color", () => {
  assertEquals(fitLine("short", 5), "short");
  assertEquals(fitLine("much too long", 6), "much \x1b[0m…");
  assertEquals(fitLine("\x1b[31mlong text", 5), "\x1b[31mlong\x1b[0m…");
});
