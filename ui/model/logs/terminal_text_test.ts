import { assertEquals } from "@std/assert";
import { lastState, plainText, spansOf } from "./terminal_text.ts";

Deno.test("a progress bar is shown in its last state, and a carriage return at the end takes nothing away", () => {
  assertEquals(lastState("10%\r20%\r30%"), "30%");
  assertEquals(lastState("done\r"), "done");
  assertEquals(lastState("a\rb\r"), "b");
  assertEquals(lastState("\r"), "");
});

Deno.test("colours become names until they are reset", () => {
  assertEquals(spansOf("a\x1b[1;31mb\x1b[0mc\x1b[94md\x1b[39m"), [
    { text: "a", style: "" },
    { text: "b", style: "bold red" },
    { text: "c", style: "" },
    { text: "d", style: "bright-blue" },
  ]);
});

Deno.test("colours of 8 and 24 bits are passed over, with their numbers", () => {
  assertEquals(spansOf("\x1b[38;5;31mx\x1b[48;2;1;2;31my"), [{ text: "x", style: "" }, { text: "y", style: "" }]);
});

Deno.test("titles and movements leave no trace, other controls are seen", () => {
  assertEquals(plainText("\x1b]0;title\x07a\x1b[2Kb\x00\x7f\u202ec"), "ab\u2400\u2421\ufffdc");
});
