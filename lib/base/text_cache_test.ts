import { assertEquals } from "@std/assert";
import { keepNewest, TextCache } from "./text_cache.ts";

Deno.test("TextCache: clears itself before it exceeds the limit of entries", () => {
  const kept = new TextCache<number>({ entries: 2, size: 100 });
  kept.set("a", 1);
  kept.set("b", 2);
  assertEquals([kept.get("a"), kept.get("b")], [1, 2]);
  kept.set("c", 3);
  assertEquals([kept.get("a"), kept.get("c"), kept.entries], [undefined, 3, 1]);
});

Deno.test("TextCache: clears itself before it exceeds the size limit, and does not store a larger value", () => {
  const kept = new TextCache<number>({ entries: 100, size: 10 });
  kept.set("123456", 1);
  kept.set("1234", 2);
  kept.set("12345678901", 3);
  assertEquals([kept.get("123456"), kept.get("1234"), kept.get("12345678901")], [1, 2, undefined]);
  kept.set("x", 4, 1);
  assertEquals([kept.get("123456"), kept.get("x"), kept.entries], [undefined, 4, 1]);
});

Deno.test("keepNewest: removes the entry that was set longest ago", () => {
  const map = new Map<string, number>();
  for (const [key, value] of [["a", 1], ["b", 2], ["a", 3], ["c", 4]] as const) keepNewest(map, key, value, 2);
  assertEquals([...map], [["a", 3], ["c", 4]]);
});
