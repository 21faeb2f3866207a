import { assertEquals } from "@std/assert";
import { markKnown } from "./runner.ts";

const KNOWN = new Map([["a/one", "no such thing yet"]]);

Deno.test("markKnown: marks the failure of a listed case as known", () => {
  assertEquals(markKnown('FAIL a/one (1.2s) want "FAIL"', KNOWN), 'KNOWN a/one (1.2s) want "FAIL"');
});

Deno.test("markKnown: marks the failure of another case as missed, because it is run again", () => {
  assertEquals(markKnown("FAIL a/on (1.2s) x", KNOWN), "MISSED a/on (1.2s) x");
  assertEquals(markKnown("FAIL a/one-more (1.2s) x", KNOWN), "MISSED a/one-more (1.2s) x");
});

Deno.test("markKnown: leaves every other line unchanged", () => {
  for (
    const line of [
      "PASS a/one (1.2s)",
      "1 passed, 1 failed, 0 skipped",
    ]
  ) {
    assertEquals(markKnown(line, KNOWN), line);
  }
});
