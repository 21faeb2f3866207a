import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sortLikeGo } from "./sort.ts";

Deno.test("sortLikeGo: is stable up to twelve elements", () => {
  const items = [3, 1, 2, 1, 3, 2].map((rank, index) => ({ rank, place: index }));
  const sorted = sortLikeGo(items, (a, b) => a.rank < b.rank);
  assertEquals(sorted.map(({ place }) => place), [1, 3, 2, 5, 0, 4]);
});

Deno.test("sortLikeGo: beyond that, equal elements have the order of Go's sort", () => {
  const items = Array.from({ length: 14 }, (_, index) => ({ rank: index % 2, place: index }));
  const sorted = sortLikeGo(items, (a, b) => a.rank < b.rank);
  assertEquals(sorted.map(({ place }) => place), [8, 12, 2, 0, 4, 10, 6, 3, 7, 9, 5, 11, 1, 13]);
});

Deno.test("sortLikeGo: sorts every list and keeps its elements", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 400 }), (list) => {
    assertEquals(sortLikeGo(list, (a, b) => a < b), list.toSorted((a, b) => a - b));
  }));
});
