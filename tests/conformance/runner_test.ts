import { assertEquals } from "@std/assert";
import { markKnown } from "./runner.ts";

const KNOWN = new Map([["a/one", "no such thing yet"]]);

Deno.test("markKnown() says of a listed case that fails that it is known", () => {
  assertEquals(markKnown('FAIL a/one (1.2s) want "FAIL"', KNOWN), 'KNOWN a/one (1.2s) want "FAIL"');
});

Deno.test("markKnown() leaves every other line as it is", () => {
  for (
    const line of [
      "FAIL a/on (1.2s) x",
      "FAIL a/one-more (1.2s) x",
      "PASS a/one (1.2s)",
      "1 passed, 1 failed, 0 skipped",
    ]
  ) {
    assertEquals(markKnown(line, KNOWN), line);
  }
});
