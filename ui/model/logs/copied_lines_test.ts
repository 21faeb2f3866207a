import { assertEquals } from "@std/assert";
import { copiedText, type ShownLines } from "./copied_lines.ts";

const shown = (lines: readonly number[]): ShownLines => ({
  count: lines.length,
  lineAt: (row) => lines[row]!,
  textOf: (line) => `line ${line}`,
});

Deno.test("copiedText: copies from the first to the last selected character", () => {
  const all = shown([0, 1, 2, 3]);
  assertEquals(copiedText({ line: 0, at: 5 }, { line: 2, at: 4 }, all), "0\nline 1\nline");
  assertEquals(copiedText({ line: 2, at: 4 }, { line: 0, at: 5 }, all), "0\nline 1\nline");
  assertEquals(copiedText({ line: 1, at: 4 }, { line: 1, at: 2 }, all), "ne");
  assertEquals(copiedText({ line: 1 }, { line: 3 }, all), "line 1\nline 2\nline 3");
});

Deno.test("copiedText: copies visible lines only, even if an end of the selection is hidden", () => {
  assertEquals(copiedText({ line: 1, at: 3 }, { line: 9 }, shown([0, 4, 8, 12])), "line 4\nline 8");
});
