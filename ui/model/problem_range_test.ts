import { assertEquals } from "@std/assert";
import { problemRange } from "./problem_range.ts";

Deno.test("problemRange: marks a word or one character, within the line", () => {
  const piece = (line: string, column: number) => {
    const { from, to } = problemRange(line, column);
    return line.slice(from, to);
  };
  assertEquals(piece("  entrypoint: mian", 2), "entrypoint");
  assertEquals(piece("  entrypoint: mian", 0), "entrypoint");
  assertEquals(piece("  entrypoint: mian # it", 14), "mian");
  assertEquals(piece('  a: "two words", b', 5), '"two words"');
  assertEquals(piece("a: {b: 1}", 3), "{");
  assertEquals(piece("abc", 3), "");
  assertEquals(piece("abc", 9), "");
  assertEquals(piece("", 0), "");
});
