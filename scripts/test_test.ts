import { assertEquals } from "@std/assert";
import { getsOn } from "./test.ts";

Deno.test("getsOn() knows the end of a test, in colours or without, and what comes before the first", () => {
  const lines = [
    "./a_test.ts => it adds ... ok (2ms)",
    "\x1b[38;5;245m./a_test.ts => \x1b[0mit flies ... \x1b[0m\x1b[31mFAILED\x1b[0m \x1b[38;5;245m(1s)\x1b[0m",
    "Download https://example.com/a.tgz",
  ];
  assertEquals(lines.map(getsOn), [true, true, true]);
});

Deno.test("getsOn() takes a test that goes on and on, and what it says, for no news", () => {
  const lines = ["'it waits' has been running for over (4m0s)", 'level=WARN msg="still waiting"', ""];
  assertEquals(lines.map(getsOn), [false, false, false]);
});
