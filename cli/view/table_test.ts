import { assertEquals } from "@std/assert";
import { fitLine, tableLines } from "./table.ts";

Deno.test("tableLines() puts cells under each other", () => {
  assertEquals(tableLines([["A", "B"], ["long", "x"]]), ["A     B", "long  x"]);
});

Deno.test("tableLines() knows that colours have no width and that some characters are wide", () => {
  assertEquals(tableLines([["\x1b[31mab\x1b[0m", "x"], ["漢", "y"]]), ["\x1b[31mab\x1b[0m  x", "漢  y"]);
});

Deno.test("tableLines() writes nothing after the last cell that says something", () => {
  assertEquals(tableLines([["a", "", ""], ["b", "c", "d"]], 3), ["a", "b   c   d"]);
});

Deno.test("fitLine() cuts what is too long and ends its colour", () => {
  assertEquals(fitLine("short", 5), "short");
  assertEquals(fitLine("much too long", 6), "much \x1b[0m…");
  assertEquals(fitLine("\x1b[31mlong text", 5), "\x1b[31mlong\x1b[0m…");
});
