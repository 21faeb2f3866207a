import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { Change, RunQuery } from "../api/source.ts";
import { applyChanges, insertHeldRuns, rowsOf, type RunRows } from "./run_list.ts";

const ALL: RunQuery = { namespace: "data", phases: [], labels: [] };

function run(name: string, version: number, minute = 0): Workflow {
  const startedAt = `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
  return {
    metadata: { name, uid: name, resourceVersion: String(version) },
    spec: {},
    status: { phase: "Running", startedAt },
  } as unknown as Workflow;
}

const change = (type: Change<Workflow>["type"], object: Workflow): Change<Workflow> => ({ type, object });
const names = ({ rows }: RunRows) => rows.map(({ metadata }) => metadata.name);
const START = rowsOf({ items: [run("b", 2, 2), run("a", 1, 1)], total: 10 }, { limit: 2, offset: 0 });

Deno.test("applyChanges: inserts a new run in the server's order, and keeps the page size", () => {
  const after = applyChanges(START, [change("ADDED", run("c", 3, 3))], ALL);
  assertEquals([names(after), after.total], [["c", "b"], 11]);
});

Deno.test("applyChanges: ignores a run outside the time filters, and removes one that finishes too late", () => {
  const made = (name: string, version: number, creationTimestamp: string, finishedAt?: string) => {
    const { metadata, status, spec } = run(name, version, 3);
    return { metadata: { ...metadata, creationTimestamp }, spec, status: { ...status, finishedAt } } as Workflow;
  };
  const since: RunQuery = { ...ALL, createdAfter: "2026-01-01T00:00:00Z" };
  const old = made("old", 3, "2025-12-31T00:00:00Z");
  assertStrictEquals(applyChanges(START, [change("ADDED", old)], since), START);
  assertEquals(names(applyChanges(START, [change("ADDED", made("new", 3, "2026-01-01T00:00:01Z"))], since))[0], "new");
  const until: RunQuery = { ...ALL, finishedBefore: "2026-01-01T01:00:00Z" };
  const added = applyChanges(START, [change("ADDED", made("x", 3, "", "2026-01-01T00:30:00Z"))], until);
  assertEquals(names(added)[0], "x");
  const later = applyChanges(added, [change("MODIFIED", made("x", 4, "", "2026-01-01T02:00:00Z"))], until);
  assertEquals([names(later).includes("x"), later.total], [false, 10]);
});

Deno.test("applyChanges: an older change returns the same object", () => {
  assertStrictEquals(applyChanges(START, [change("MODIFIED", run("b", 1, 2))], ALL), START);
  assertStrictEquals(applyChanges(START, [], ALL), START);
});

Deno.test("applyChanges: a change of a run outside the page adds no row", () => {
  assertStrictEquals(applyChanges(START, [change("MODIFIED", run("z", 9))], ALL), START);
});

Deno.test("applyChanges: a deleted run leaves the rows and the total, also outside the page", () => {
  const after = applyChanges(START, [change("DELETED", run("a", 5, 1)), change("DELETED", run("z", 6))], ALL);
  assertEquals([names(after), after.total], [["b"], 8]);
});

Deno.test("applyChanges: watched runs that do not match the name filter are neither shown nor counted", () => {
  const query: RunQuery = { ...ALL, name: { match: "Prefix", text: "etl" } };
  const changes = [change("ADDED", run("web", 5)), change("DELETED", run("web", 6)), change("ADDED", run("etl", 7, 9))];
  const after = applyChanges({ ...START, rows: [], total: 0 }, changes, query);
  assertEquals([names(after), after.total], [["etl"], 1]);
});

Deno.test("applyChanges: held runs are counted, and inserted in order when they are shown", () => {
  const came = applyChanges(START, [change("ADDED", run("c", 3, 3)), change("ADDED", run("d", 4, 4))], ALL, "held");
  assertEquals([names(came), came.held.length, came.total], [["b", "a"], 2, 12]);
  assertEquals([names(insertHeldRuns(came)), insertHeldRuns(came).held], [["d", "c"], []]);
});

Deno.test("applyChanges: held runs are updated and deleted like rows", () => {
  const came = applyChanges(START, [change("ADDED", run("c", 3, 3)), change("ADDED", run("d", 4, 4))], ALL, "held");
  const after = applyChanges(came, [change("DELETED", run("c", 5, 3)), change("MODIFIED", run("d", 6, 0))], ALL);
  assertEquals([names(after), after.total, after.held], [["b", "a"], 11, [run("d", 6, 0)]]);
});

Deno.test("applyChanges: a row keeps its position while others are held", () => {
  const came = applyChanges(START, [change("ADDED", run("c", 3, 3))], ALL, "held");
  const after = applyChanges(came, [change("MODIFIED", run("a", 7, 1))], ALL, "held");
  assertEquals([names(after), after.held.length], [["b", "a"], 1]);
});

Deno.test("rowsOf: by duration, longest first; a running workflow lasts until now", () => {
  const over = (name: string, seconds: number) => {
    const { metadata, spec, status } = run(name, 1, 0);
    return { metadata, spec, status: { ...status, finishedAt: `2026-01-01T00:00:${seconds}Z` } } as Workflow;
  };
  const time = Date.parse("2026-01-01T00:00:30Z");
  const order = { field: "duration", isDescending: true } as const;
  const list = { items: [over("short", 10), run("works", 1, 0), over("long", 50)], total: 3 };
  const rows = rowsOf(list, { limit: 3, offset: 0, order }, time);
  assertEquals(names(rows), ["long", "works", "short"]);
  const later = { ...rows, loadedAt: time + 60_000 };
  const ended = over("short", 10);
  const touched = { ...ended, metadata: { ...ended.metadata, resourceVersion: "9" } };
  assertEquals(names(applyChanges(later, [change("MODIFIED", touched)], ALL)), ["long", "works", "short"]);
  const came = applyChanges(later, [change("ADDED", over("middle", 20))], ALL);
  assertEquals(names(came), ["works", "long", "middle"]);
});
