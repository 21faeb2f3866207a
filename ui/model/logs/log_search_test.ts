import { assertEquals, assertThrows } from "@std/assert";
import { lineFilter } from "@tiphys/service/line_filter";
import { compileQuery, LogSearch } from "./log_search.ts";
import { LogStore } from "./log_store.ts";

function hitsOf(
  lines: readonly string[],
  text: string,
  wish: { isRegex?: boolean; matchCase?: boolean } = {},
): number[] {
  const store = new LogStore();
  for (const line of lines) store.append("p", "", line);
  const test = compileQuery({ text, isRegex: false, matchCase: false, ...wish }, lineFilter)!;
  const search = new LogSearch(store, test);
  while (!search.isDone) search.step(() => false);
  return [...search.hits];
}

Deno.test("LogSearch: ignores case unless the query is case-sensitive", () => {
  assertEquals(hitsOf(["Error", "none", "an error"], "ERROR"), [0, 2]);
  assertEquals(hitsOf(["Error", "none", "an error"], "Error", { matchCase: true }), [0]);
});

Deno.test("LogSearch: searches the visible text, without colors and overwritten states", () => {
  assertEquals(hitsOf(["\x1b[31mer\x1b[0mror", "error\rfine"], "error"), [0]);
});

Deno.test("compileQuery: an invalid regular expression is an error, and a slow one takes linear time", () => {
  assertThrows(() => compileQuery({ text: "(", isRegex: true, matchCase: true }, lineFilter));
  assertEquals(hitsOf(["a".repeat(50_000) + "b", "aaa"], "^(a+)+$", { isRegex: true }), [1]);
});

Deno.test("LogSearch: continues when the log has grown", () => {
  const store = new LogStore();
  const search = new LogSearch(store, { test: (line) => line === "x", lowerCase: undefined });
  store.append("p", "", "x");
  search.step(() => true);
  store.append("p", "", "y");
  store.append("p", "", "x");
  assertEquals(search.isDone, false);
  search.step(() => true);
  assertEquals([search.hits, search.next(0, 1), search.next(2, 1), search.next(0, -1)], [[0, 2], 2, 0, 2]);
});

Deno.test("LogSearch: a search of bytes equals one of lines, also across chunks, in colored text, and beyond ASCII", () => {
  const store = new LogStore();
  const kinds = [
    "an Error here",
    "err",
    "or",
    "\x1b[31mer\x1b[0mror",
    "fehlgröße ERROR",
    "",
    "10%\rerror",
    "\tERRor",
    "Größe",
  ];
  const lines: string[] = [];
  for (let index = 0, bytes = 0; bytes < 2.2 * (1 << 20); index++) {
    const line = `${kinds[index * 7 % kinds.length]}${".".repeat(index * 13 % 97)}${index % 11 === 0 ? "error" : ""}`;
    lines.push(line);
    bytes += line.length + 30;
    store.append("p", "2026-01-01T00:00:00.123456789Z", line);
  }
  for (const text of ["error", "rror.", "2026", "größe", "%"]) {
    const wish = compileQuery({ text, isRegex: false, matchCase: false }, lineFilter)!;
    const fast = new LogSearch(store, wish);
    const slow = new LogSearch(store, { ...wish, lowerCase: undefined });
    while (!fast.isDone) fast.step(() => false);
    while (!slow.isDone) slow.step(() => true);
    assertEquals(fast.hits, slow.hits, text);
  }
});
