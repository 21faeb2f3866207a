import { assertEquals } from "@std/assert";
import { FairLine } from "./fair_line.ts";

function order(line: FairLine): string[] {
  const taken: string[] = [];
  for (let key = line.first(); key !== undefined; key = line.first()) {
    taken.push(key);
    line.take(key);
  }
  return taken;
}

Deno.test("FairLine lets namespaces take turns, and within one the first comes first", () => {
  const line = new FairLine();
  for (const key of ["a/1", "a/2", "a/3", "a/4", "b/1", "c/1", "b/2", "a/1"]) line.add(key);
  assertEquals(line.size, 7);
  assertEquals(order(line), ["a/1", "b/1", "c/1", "a/2", "b/2", "a/3", "a/4"]);
  assertEquals(line.size, 0);
});

Deno.test("FairLine takes any key out of its turn", () => {
  const line = new FairLine();
  for (const key of ["a/1", "a/2", "b/1"]) line.add(key);
  line.take("a/2");
  assertEquals([line.has("a/2"), line.has("a/1"), line.size], [false, true, 2]);
  assertEquals(order(line), ["b/1", "a/1"]);
});

Deno.test("FairLine knows the place of a key as it would be taken, and of one that does not wait none", () => {
  const keys = ["a/1", "a/2", "a/3", "b/1", "c/1", "b/2"];
  const line = new FairLine();
  for (const key of keys) line.add(key);
  const places = new Map(keys.map((key) => [key, line.placeOf(key)]));
  assertEquals(line.placeOf("c/2"), undefined);
  order(line).forEach((key, index) => assertEquals(places.get(key), index + 1, key));
});
