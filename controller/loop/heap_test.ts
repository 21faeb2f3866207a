import { assertEquals } from "@std/assert";
import { Heap } from "./heap.ts";

Deno.test("Heap: returns items in their order, independently of the order of insertion", () => {
  const heap = new Heap<number>((a, b) => a < b);
  assertEquals([heap.first, heap.size], [undefined, 0]);
  heap.removeFirst();
  const items = Array.from({ length: 200 }, (_, index) => (index * 7919) % 101);
  heap.reset([...items, 1000, 1001]);
  heap.retain((item) => item < 1000);
  const given: number[] = [];
  for (; heap.first !== undefined; heap.removeFirst()) given.push(heap.first);
  assertEquals(given, items.toSorted((a, b) => a - b));
});
