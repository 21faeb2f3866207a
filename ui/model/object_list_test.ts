import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { isFailing, listed, queryByColumn, queryWithState, readList, runsByObject } from "./object_list.ts";

const object = (name: string, created?: string, more: object = {}) => ({
  metadata: { name, namespace: "data", creationTimestamp: created, ...more },
});
const names = (objects: readonly { metadata: { name?: string | undefined } }[]) =>
  objects.map(({ metadata }) => metadata.name);

Deno.test("listed() finds by name and by title, whatever the case", () => {
  const titled = object("x", undefined, { annotations: { "workflows.argoproj.io/title": "Load a Day" } });
  const all = [object("daily-etl"), object("other"), titled];
  assertEquals(names(listed(all, readList([["Contains", "DAY"]]))), ["x"]);
  assertEquals(names(listed(all, readList([["Contains", "etl"]]))), ["daily-etl"]);
});

Deno.test("listed() puts what has no time behind all others, from either end", () => {
  const all = [object("none"), object("new", "2026-03-02T00:00:00Z"), object("old", "2026-03-01T00:00:00Z")];
  assertEquals(names(listed(all, readList([["sort", "created"]]))), ["old", "new", "none"]);
  assertEquals(names(listed(all, readList([["sort", "-created"]]))), ["new", "old", "none"]);
  assertEquals(names(listed(all, readList([["sort", "whatever"]]))), ["new", "none", "old"]);
});

Deno.test("a column is chosen, then read from its other end; states are chosen and taken back", () => {
  assertEquals(queryByColumn([], "created"), [["sort", "created"]]);
  assertEquals(queryByColumn([["sort", "created"]], "created"), [["sort", "-created"]]);
  assertEquals(queryByColumn([], "name"), [["sort", "-name"]]);
  const both = queryWithState(queryWithState([], "failing"), "suspended");
  assertEquals(readList(both).states, ["suspended", "failing"]);
  assertEquals(readList(queryWithState(both, "failing")).states, ["suspended"]);
});

Deno.test("runs are sorted by the object that they were made from, ten of each at most", () => {
  const run = (name: string, of: string, phase: string, finishedAt?: string) =>
    ({
      metadata: { name, namespace: "data", labels: { from: of } },
      spec: {},
      status: { phase, finishedAt },
    }) as unknown as Workflow;
  const runs = [
    run("c", "a", "Running"),
    run("b", "a", "Failed", "2026-03-01T00:00:00Z"),
    ...Array.from({ length: 20 }, (_, at) => run(`r${at}`, "b", "Succeeded", "2026-03-01T00:00:00Z")),
  ];
  const found = runsByObject(runs, "from", false);
  assertEquals([...found].map(([key, own]) => [key, own.length]), [["data/a", 2], ["data/b", 10]]);
  assertEquals([...runsByObject(runs, "from", true).keys()], ["/a", "/b"]);
  assertEquals([isFailing(found.get("data/a")!), isFailing(found.get("data/b")!), isFailing([])], [true, false, false]);
});
