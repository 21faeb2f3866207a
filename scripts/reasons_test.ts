import { assert, assertEquals } from "@std/assert";
import { failedNames, REASON_LINES, reasonsOf } from "./reasons.ts";

Deno.test("reasonsOf: returns the lines of failures with the indented lines below, and nothing of passed tests", () => {
  const output =
    "PASS a (1 s)\nFAIL b (2 s)\n  expected:\n    1\nFAIL c: it is late\nPASS FAIL d\n1 passed, 2 failed\n";
  assertEquals(reasonsOf(output), ["b (2 s): expected: 1", "c: it is late"]);
});

Deno.test("reasonsOf: returns the same reason once, with its names and their number", () => {
  const output = Array.from({ length: 9 }, (_, index) => `FAIL case-${index}: timeout after ${index} s\n`).join("");
  assertEquals(reasonsOf(output), [
    "9 times: case-0, case-1, case-2, case-3, case-4, case-5 and 3 more: timeout after 0 s",
  ]);
});

Deno.test("reasonsOf: returns the last lines of an output without a failure", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  assertEquals(reasonsOf(`${lines.join("\n\n")}\n`), lines.slice(-8));
  assertEquals(reasonsOf(""), []);
});

Deno.test("reasonsOf: is short for any output", () => {
  const output = Array.from(
    { length: 500 },
    (_, index) => `FAIL case ${String.fromCodePoint(0x4e00 + index)}: ${String.fromCodePoint(0x5000 + index)}`,
  ).join("\n");
  const reasons = reasonsOf(output);
  assertEquals(reasons.length, REASON_LINES);
  assertEquals(reasons.at(-1), "and 489 more");
  const [long] = reasonsOf(`FAIL a: ${"x".repeat(100_000)} the end`);
  assert(long!.length <= 260 && long!.endsWith("the end"), long);
});

Deno.test("failedNames: names each failed case once, without its duration", () => {
  assertEquals(failedNames("FAIL a: late\nFAIL b (1.2 s)\n  why\nFAIL a: again\nPASS c\n"), ["a", "b"]);
});
