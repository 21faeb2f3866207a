import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { changeBetween } from "./text_change.ts";

Deno.test("changeBetween: returns one minimal replacement", () => {
  assertEquals(changeBetween("a: 1\nb: 2\n", "a: 1\nb: 23\n"), { from: 9, to: 9, insert: "3" });
  assertEquals(changeBetween("value: eu # it\n", "value: us # it\n"), { from: 7, to: 9, insert: "us" });
  assertEquals(changeBetween("aaa", "aa"), { from: 2, to: 3, insert: "" });
  assertEquals(changeBetween("", "a"), { from: 0, to: 0, insert: "a" });
  assertEquals(changeBetween("a", "a"), undefined);
  assertEquals(changeBetween("\u{1F600}", "\u{1F601}"), { from: 0, to: 2, insert: "\u{1F601}" });
});

Deno.test("changeBetween: the replacement turns any text into any other", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\u{1F600}", "\u{1F601}") });
  fc.assert(fc.property(text, text, (before, after) => {
    const change = changeBetween(before, after);
    const made = change ? before.slice(0, change.from) + change.insert + before.slice(change.to) : before;
    assertEquals(made, after);
    assertEquals(change?.insert.isWellFormed() ?? true, true);
  }));
});
