import { assertEquals, assertThrows } from "@std/assert";
import { LogStore } from "./log_store.ts";

const TIME = "2026-01-01T00:00:00.123456789Z";

Deno.test("LogStore: returns lines as written, with source and time", () => {
  const store = new LogStore();
  store.append("a", TIME, "one");
  store.append("b", "", "");
  store.append("a", TIME, "zwölf 🚀");
  assertEquals([0, 1, 2].map((number) => store.line(number)), [
    { source: 0, time: TIME, text: "one" },
    { source: 1, time: "", text: "" },
    { source: 0, time: TIME, text: "zwölf 🚀" },
  ]);
  assertEquals(store.sources, ["a", "b"]);
  assertThrows(() => store.line(3), RangeError, "No line 3 among 3");
});

Deno.test("LogStore: stores a line of 2 MB, and lines across chunks", () => {
  const store = new LogStore();
  const lines = ["x".repeat((1 << 20) - 3), "abcdef", "y".repeat(2 << 20), "", "z"];
  for (const line of lines) store.append("p", "", line);
  assertEquals(lines.every((line, number) => store.text(number) === line), true);
});

Deno.test("LogStore: stores a line that starts as ASCII and continues otherwise, also across chunks", () => {
  const store = new LogStore();
  const lines = ["x".repeat((1 << 20) - 6), "abcdefghé", `${"y".repeat(2 << 20)}é`, "tab\tand\x7f", "z"];
  for (const line of lines) store.append("p", "", line);
  assertEquals(lines.map((_, number) => store.text(number)), lines);
  assertEquals(store.bytes, lines.reduce((sum, line) => sum + new TextEncoder().encode(line).length, 0));
});

Deno.test("LogStore: stores 100,000 lines", () => {
  const store = new LogStore();
  for (let i = 0; i < 100_000; i++) store.append("p", "", `line ${i}`);
  assertEquals([store.count, store.text(0), store.text(99_999)], [100_000, "line 0", "line 99999"]);
});

Deno.test("contents: yields the bytes of the lines, with carriage returns and without times", () => {
  const store = new LogStore();
  store.append("a", TIME, "10%\r20%");
  store.append("b", TIME, "other");
  store.append("a", TIME, "\x1b[31mred");
  const text = (source?: number) =>
    new TextDecoder().decode(new Uint8Array(Array.from(store.contents(source)).flatMap((part) => [...part])));
  assertEquals(text(0), "10%\r20%\n\x1b[31mred\n");
  assertEquals(text(), "10%\r20%\nother\n\x1b[31mred\n");
});

Deno.test("log store: is full after a number of lines, even if they are empty", () => {
  const store = new LogStore(3);
  const lines = [store.append("p", "", ""), store.appendPlain("p", new Uint8Array(), new Uint8Array())];
  assertEquals([...lines, store.append("p", "", "x"), store.append("p", "", "")], [true, true, true, false]);
  assertEquals(store.count, 3);
});
