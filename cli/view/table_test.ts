import { assertEquals } from "@std/assert";
import { fitLine, tableLines } from "./table.ts";

Deno.test("tableLines: aligns cells in columns", () => {
  assertEquals(tableLines([["A", "B"], ["long", "x"]]), ["A     B", "long  x"]);
});

Deno.test("tableLines: colors have no width, and wide characters have two columns", () => {
  assertEquals(tableLines([["\x1b[31mab\x1b[0m", "x"], ["漢", "y"]]), ["\x1b[31mab\x1b[0m  x", "漢  y"]);
});

Deno.test("tableLines: marks, joined emoji and skin tones have no columns", () => {
  for (const text of ["e\u0301e", "👍🏽", "👩\u200d💻", "🇩🇪", "가"]) {
    assertEquals(tableLines([["ab", "x"], [text, "y"]]).map((line) => line.at(-1)), ["x", "y"]);
    assertEquals(tableLines([["ab", "x"], [text, "y"]])[1], `${text}  y`, text);
  }
});

Deno.test("tableLines: lines have no trailing spaces", () => {
  assertEquals(tableLines([["a", "", ""], ["b", "c", "d"]], 3), ["a", "b   c   d"]);
});

Deno.test("fitLine: cuts a long line and resets its color", () => {
  assertEquals(fitLine("short", 5), "short");
  assertEquals(fitLine("much too long", 6), "much \x1b[0m…");
  assertEquals(fitLine("\x1b[31mlong text", 5), "\x1b[31mlong\x1b[0m…");
});

Deno.test("fitLine: a character with many marks is one column, and is read once", () => {
  const marked = `a${"\u0301".repeat(50_000)}`;
  assertEquals(fitLine(`${marked}${"b".repeat(100)}`, 5), `${marked}bbb\x1b[0m…`);
});

Deno.test("tableLines: a very long cell does not widen the other rows", () => {
  const [, second = ""] = tableLines([["x".repeat(100_000), "y"], ["a", "b"]]);
  assertEquals([second.length, second.at(-1)], [1_003, "b"]);
});
