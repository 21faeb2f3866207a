import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { filterAndSort, isFailing, queryByColumn, queryWithState, readList, runsByObject } from "./object_list.ts";

const object = (name: string, created?: string, more: object = {}) => ({
  metadata: { name, namespace: "data", creationTimestamp: created, ...more },
});
const names = (objects: readonly { metadata: { name?: string | undefined } }[]) =>
  objects.map(({ metadata }) => metadata.name);

Deno.test("filterAndSort: filters by name and title, ignoring case", () => {
  const titled = object("x", undefined, { annotations: { "workflows.argoproj.io/title": "Load a Day" } });
  const all = [object("daily-etl"), object("other"), titled];
  assertEquals(names(filterAndSort(all, readList([["Contains", "DAY"]]))), ["x"]);
  assertEquals(names(filterAndSort(all, readList([["Contains", "etl"]]))), ["daily-etl"]);
});

Deno.test("filterAndSort: objects without a time come last in both directions", () => {
  const all = [object("none"), object("new", "2026-03-02T00:00:00Z"), object("old", "2026-03-01T00:00:00Z")];
  assertEquals(names(filterAndSort(all, readList([["sort", "created"]]))), ["old", "new", "none"]);
  assertEquals(names(filterAndSort(all, readList([["sort", "-created"]]))), ["new", "old", "none"]);
  assertEquals(names(filterAndSort(all, readList([["sort", "whatever"]]))), ["new", "none", "old"]);
});

Deno.test("queryByColumn: sorts by a column, then in reverse; queryWithState: toggles a state", () => {
  assertEquals(queryByColumn([], "created"), [["sort", "created"]]);
  assertEquals(queryByColumn([["sort", "created"]], "created"), [["sort", "-created"]]);
  assertEquals(queryByColumn([], "name"), [["sort", "-name"]]);
  const both = queryWithState(queryWithState([], "failing"), "suspended");
  assertEquals(readList(both).states, ["suspended", "failing"]);
  assertEquals(readList(queryWithState(both, "failing")).states, ["suspended"]);
});

Deno.test("runsByObject: groups runs by the object that created them, up to ten each", () => {
  const run = (name: string, of: string, phase: string, finishedAt?: string) =>
    ({
      metadata: { name, namespace: "data", labels: { from: of } },
      spec: {},
      status: { phase, finishedAt },
    }) as unknown as Workflow;
  const runs = [
    run("c", "a", "Running"),
    run("b", "a", "Failed", "2026-03-01T00:00:00Z"),
    ...Array.from({ length: 20 }, (_, index) => run(`r${index}`, "b", "Succeeded", "2026-03-01T00:00:00Z")),
  ];
  const found = runsByObject(runs, "from", false);
  assertEquals([...found].map(([key, own]) => [key, own.length]), [["data/a", 2], ["data/b", 10]]);
  assertEquals([...runsByObject(runs, "from", true).keys()], ["/a", "/b"]);
  assertEquals([isFailing(found.get("data/a")!), isFailing(found.get("data/b")!), isFailing([])], [true, false, false]);
});
