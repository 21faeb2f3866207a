import { assertEquals } from "@std/assert";
import { findNames, indexNames } from "./palette.ts";

const named = (...names: readonly string[]) => indexNames(names.map((name) => ({ id: name, name })));
const found = (names: readonly string[], typed: string, max = 8) =>
  findNames(named(...names), typed, max).items.map(({ name }) => name);

Deno.test("findNames: ranks equal names first, then prefixes, prefixes of words, and other matches", () => {
  assertEquals(found(["reload", "pre-load", "load(7)", "load", "x"], "load"), [
    "load",
    "load(7)",
    "pre-load",
    "reload",
  ]);
});

Deno.test("findNames: names of the same rank keep their order", () => {
  assertEquals(found(["load(2)", "load(10)", "load(1)"], "load"), ["load(2)", "load(10)", "load(1)"]);
});

Deno.test("findNames: every word must match the name or its description, ignoring case", () => {
  const index = indexNames([
    { id: "1", name: "load(7:EU)", about: "Load-One" },
    { id: "2", name: "load(7:us)", about: "load-one" },
  ]);
  assertEquals(findNames(index, "LOAD eu", 8).items.map(({ id }) => id), ["1"]);
  assertEquals(findNames(index, "one us", 8).items.map(({ id }) => id), ["2"]);
  assertEquals(findNames(index, "load asia", 8), { items: [], more: 0 });
});

Deno.test("findNames: returns the first matches and the number of further ones", () => {
  const index = named(...Array.from({ length: 10_000 }, (_, i) => `load(${i})`));
  const { items, more } = findNames(index, "load", 8);
  assertEquals([items.length, more, items[0]?.name], [8, 9_992, "load(0)"]);
  assertEquals(findNames(index, "(9999", 8), { items: [index.items[9_999]!], more: 0 });
});

Deno.test("findNames: blanks alone match nothing", () => {
  assertEquals(findNames(named("a"), "", 8), { items: [], more: 0 });
  assertEquals(findNames(named("a"), "  ", 8), { items: [], more: 0 });
});
