import { assertEquals } from "@std/assert";
import { Levels } from "./levels.ts";

function placed(holders: Readonly<Record<string, string>>, ids: string, deepest?: number): string {
  const levels = new Levels(ids, (id) => holders[id], deepest);
  return [...ids].map((id) => `${levels.holderOf(id) ?? ""}${levels.levelOf(id)}`).join(" ");
}

Deno.test("Levels: each item is one level below its parent, in any order", () => {
  assertEquals(placed({ b: "a", c: "b", d: "a" }, "dcba"), "a1 b2 a1 0");
});

Deno.test("Levels: the first item of a cycle has no parent, and its descendants are kept", () => {
  assertEquals(placed({ a: "a", b: "a" }, "ba"), "a1 0");
  assertEquals(placed({ a: "c", b: "a", c: "b" }, "abc"), "0 a1 b2");
  assertEquals(placed({ x: "b", a: "c", b: "a", c: "b" }, "xabc"), "b1 c2 0 b1");
});

Deno.test("Levels: an item below the deepest level becomes a sibling of its parent", () => {
  assertEquals(placed({ b: "a", c: "b", d: "c", e: "d" }, "edcba", 2), "b2 b2 b2 a1 0");
});
