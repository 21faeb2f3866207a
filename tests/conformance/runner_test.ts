import { assertEquals } from "@std/assert";
import { markKnown } from "./runner.ts";

const KNOWN = new Map([["a/one", "no such thing yet"]]);

Deno.test("markKnown() says of a listed case that fails that it is known", () => {
  assertEquals(markKnown('FAIL a/one (1.2s) want "FAIL"', KNOWN), 'KNOWN a/one (1.2s) want "FAIL"');
});

Deno.test("markKnown() says of another case that fails that it missed: it is tried again", () => {
  assertEquals(markKnown("FAIL a/on (1.2s) x", KNOWN), "MISSED a/on (1.2s) x");
  assertEquals(markKnown("FAIL a/one-more (1.2s) x", KNOWN), "MISSED a/one-more (1.2s) x");
});

Deno.test("markKnown() leaves every other line as it is", () => {
  for (
    const line of [
      "PASS a/one (1.2s)",
      "1 passed, 1 failed, 0 skipped",
    ]
  ) {
    assertEquals(markKnown(line, KNOWN), line);
  }
});
