import { assertEquals, assertThrows } from "@std/assert";
import { knownDifferences } from "./known.ts";

const REASON = " # because";

function knows(pattern: string, line: string): boolean {
  return knownDifferences(`# a comment\n\n${pattern}${REASON}\n`).some((difference) => difference.test(line));
}

const rows: [string, string, boolean][] = [
  ['a/message: own "x", Argo "y"', 'a/message: own "x", Argo "y"', true],
  ['a/message: own "x", Argo "y"', 'a/message: own "x", Argo "z"', false],
  ['*/message: own "x*", Argo "y"', 'a/nodes/b/message: own "x and more", Argo "y"', true],
  // A star ends at the closing quote: it does not match across strings.
  ['*/message: own "x*"', 'a/message: own "x", Argo "y"', false],
  ['*/message: own "<text> (1:*", Argo "<text>"', 'a/message: own "bad (1:2)\\n | bad", Argo "bad"', true],
  ['*/message: own "<text> (1:*", Argo "<text>"', 'a/message: own "bad (1:2)\\n | bad", Argo "good"', false],
  ['*/message: own "<text> (1:*", Argo "<text>"', 'a/phase: own "bad (1:2)", Argo "bad"', false],
  ['a/flag: own ["cpu"], Argo absent', 'a/flag: own ["cpu"], Argo absent', true],
];
for (const [pattern, line, expected] of rows) {
  Deno.test(`the known difference ${pattern} ${expected ? "excuses" : "does not excuse"} ${line}`, () => {
    assertEquals(knows(pattern, line), expected);
  });
}

Deno.test("a known difference has a reason", () => {
  assertThrows(() => knownDifferences("a: own 1, Argo 2"), Error, "without a reason");
});
