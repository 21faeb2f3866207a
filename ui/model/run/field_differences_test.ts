import { assertEquals } from "@std/assert";
import { fieldDifferences } from "./field_differences.ts";

const told = (before: unknown, after: unknown) =>
  fieldDifferences(before, after).map(({ name, before, after }) => [name, before, after]);

Deno.test("fieldDifferences: names fields by path, and list items by name", () => {
  const task = (name: string, when?: string) => ({ name, template: "work", ...(when ? { when } : {}) });
  assertEquals(
    told(
      { name: "main", dag: { tasks: [task("a"), task("b")] }, parallelism: 2 },
      { name: "main", dag: { tasks: [task("b", "x == 1"), task("a")] }, parallelism: 3 },
    ),
    [["dag.tasks[b].when", undefined, "x == 1"], ["parallelism", "2", "3"]],
  );
  assertEquals(told({ args: ["a", "b"] }, { args: ["a", "c", "d"] }), [
    ["args[1]", "b", "c"],
    ["args[2]", undefined, "d"],
  ]);
});

Deno.test("fieldDifferences: values of different types differ as a whole, and at most a hundred are listed", () => {
  assertEquals(told({ a: [1] }, { a: { 0: 1 } }), [["a", "[1]", '{"0":1}']]);
  assertEquals(told({ a: { b: [1, { name: "x" }] } }, { a: { b: [1, { name: "x" }] } }), []);
  const many = (value: number) => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, value]));
  assertEquals(told(many(1), many(2)).length, 100);
});
