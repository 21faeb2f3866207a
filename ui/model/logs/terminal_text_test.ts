import { assertEquals } from "@std/assert";
import { lastState, plainText, spansOf } from "./terminal_text.ts";

Deno.test("lastState: shows the last state of a progress bar, and ignores a carriage return at the end", () => {
  assertEquals(lastState("10%\r20%\r30%"), "30%");
  assertEquals(lastState("done\r"), "done");
  assertEquals(lastState("a\rb\r"), "b");
  assertEquals(lastState("\r"), "");
});

Deno.test("spansOf: colors become names until they are reset", () => {
  assertEquals(spansOf("a\x1b[1;31mb\x1b[0mc\x1b[94md\x1b[39m"), [
    { text: "a", style: "" },
    { text: "b", style: "bold red" },
    { text: "c", style: "" },
    { text: "d", style: "bright-blue" },
  ]);
});

Deno.test("spansOf: skips 8-bit and 24-bit colors with their numbers", () => {
  assertEquals(spansOf("\x1b[38;5;31mx\x1b[48;2;1;2;31my"), [{ text: "x", style: "" }, { text: "y", style: "" }]);
});

Deno.test("spansOf: removes titles and cursor movements, and shows other control characters", () => {
  assertEquals(plainText("\x1b]0;title\x07a\x1b[2Kb\x00\x7f\u202ec"), "ab\u2400\u2421\ufffdc");
});
