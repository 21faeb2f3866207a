import { assertEquals } from "@std/assert";
import { FairQueue } from "./fair_queue.ts";

function order(line: FairQueue): string[] {
  const taken: string[] = [];
  for (let key = line.first(); key !== undefined; key = line.first()) {
    taken.push(key);
    line.remove(key);
  }
  return taken;
}

Deno.test("FairQueue: namespaces take turns; keys of one namespace are served in arrival order", () => {
  const line = new FairQueue();
  for (const key of ["a/1", "a/2", "a/3", "a/4", "b/1", "c/1", "b/2", "a/1"]) line.add(key);
  assertEquals(line.size, 7);
  assertEquals(order(line), ["a/1", "b/1", "c/1", "a/2", "b/2", "a/3", "a/4"]);
  assertEquals(line.size, 0);
});

Deno.test("FairQueue: any key can be removed before its turn", () => {
  const line = new FairQueue();
  for (const key of ["a/1", "a/2", "b/1"]) line.add(key);
  line.remove("a/2");
  assertEquals([line.has("a/2"), line.has("a/1"), line.size], [false, true, 2]);
  assertEquals(order(line), ["b/1", "a/1"]);
});

Deno.test("FairQueue: the position of a key is its turn, and undefined if it is not queued", () => {
  const keys = ["a/1", "a/2", "a/3", "b/1", "c/1", "b/2"];
  const line = new FairQueue();
  for (const key of keys) line.add(key);
  const places = new Map(keys.map((key) => [key, line.positionOf(key)]));
  assertEquals(line.positionOf("c/2"), undefined);
  order(line).forEach((key, index) => assertEquals(places.get(key), index + 1, key));
});
