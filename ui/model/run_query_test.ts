/** The filters of an address. */
import { assertEquals } from "@std/assert";
import { readPlace, withValues } from "./place.ts";
import { chipsOf, orderChoices, orderOfColumn, readFilter, runQueryOf, windowOf } from "./run_query.ts";

const queryOf = (address: string) => readPlace(address).query;

Deno.test("bookmarks of Argo's page mean the same filters", () => {
  const query = queryOf("/workflows?phase=Failed&phase=Error&label=team%20in%20(a,b)&Contains=etl&limit=0&offset=50");
  assertEquals(runQueryOf("data", query), {
    namespace: "data",
    phases: ["Failed", "Error"],
    labels: ["team in (a,b)"],
    name: { match: "Contains", text: "etl" },
    createdAfter: undefined,
    finishedBefore: undefined,
  });
  assertEquals(windowOf(query), { limit: 0, offset: 50 });
  assertEquals(windowOf(queryOf("/workflows?limit=many&offset=-1")), { limit: 50, offset: 0 });
});

Deno.test("each filter is a chip, and a chip that goes takes its own filter only", () => {
  const query = queryOf("/workflows?phase=Failed&phase=Error&Exact=etl&finishedBefore=2026-01-01T00:00:00Z&offset=50");
  const chips = chipsOf(query);
  assertEquals(chips.map(({ text }) => text), [
    "phase: Failed",
    "phase: Error",
    "name is etl",
    "finished before 2026-01-01T00:00:00Z",
  ]);
  const left = runQueryOf("", chips[0]!.without);
  assertEquals([left.phases, left.name?.text], [["Error"], "etl"]);
  // Another filter is another list: it begins at its beginning.
  assertEquals(windowOf(chips[0]!.without).offset, 0);
});

Deno.test("typed words become the same filters, and words that name no phase are left out", () => {
  const query = withValues([], readFilter("phase:failed,nonsense label:team=a etl"));
  assertEquals(query, [["phase", "Failed"], ["label", "team=a"], ["Contains", "etl"]]);
  assertEquals(readFilter("   "), {});
});

Deno.test("a column puts rows in its order, and then the other way round; another order begins at its beginning", () => {
  const once = orderOfColumn(queryOf("/workflows?phase=Failed&offset=50"), "duration");
  assertEquals(once, [["phase", "Failed"], ["sort", "-duration"]]);
  assertEquals(windowOf(once), { limit: 50, offset: 0, order: { field: "duration", isDescending: true } });
  assertEquals(orderOfColumn(once, "duration"), [["phase", "Failed"], ["sort", "duration"]]);
  assertEquals(orderOfColumn(queryOf("/workflows?sort=duration"), "duration"), [["sort", "-duration"]]);
  assertEquals(orderOfColumn(queryOf("/workflows"), "started"), [["sort", "started"]]);
  assertEquals(orderOfColumn(queryOf("/workflows"), "name"), [["sort", "name"]]);
});

Deno.test("the usual order stands in no address, and a text that is no order means it", () => {
  const usual = orderChoices(queryOf("/workflows?sort=name")).find(({ text }) => text === "Newest start first");
  assertEquals(usual?.next, []);
  assertEquals(windowOf(queryOf("/workflows?sort=colour")), { limit: 50, offset: 0 });
});
