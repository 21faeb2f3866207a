import { assertEquals } from "@std/assert";
import { Levels } from "./levels.ts";

function placed(holders: Readonly<Record<string, string>>, ids: string, deepest?: number): string {
  const levels = new Levels(ids, (id) => holders[id], deepest);
  return [...ids].map((id) => `${levels.holderOf(id) ?? ""}${levels.levelOf(id)}`).join(" ");
}

Deno.test("Levels: each thing lies one level below what holds it, whichever comes first", () => {
  assertEquals(placed({ b: "a", c: "b", d: "a" }, "dcba"), "a1 b2 a1 0");
});

Deno.test("Levels: of a circle the one that is met first lies in nothing, and what hangs on it stays", () => {
  assertEquals(placed({ a: "a", b: "a" }, "ba"), "a1 0");
  assertEquals(placed({ a: "c", b: "a", c: "b" }, "abc"), "0 a1 b2");
  assertEquals(placed({ x: "b", a: "c", b: "a", c: "b" }, "xabc"), "b1 c2 0 b1");
});

Deno.test("Levels: what would lie below the deepest level stands there, beside what it would lie in", () => {
  assertEquals(placed({ b: "a", c: "b", d: "c", e: "d" }, "edcba", 2), "b2 b2 b2 a1 0");
});
