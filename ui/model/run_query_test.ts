import { assertEquals } from "@std/assert";
import { momentText, parseLocalMoment } from "./duration.ts";
import { parsePageAddress, withValues } from "./place.ts";
import { chipsOf, orderChoices, orderOfColumn, readFilter, runQueryOf, windowOf } from "./run_query.ts";

const queryOf = (address: string) => parsePageAddress(address).query;

Deno.test("runQueryOf: bookmarks of Argo's page have the same filters", () => {
  const query = queryOf("/workflows?phase=Failed&phase=Error&label=team%20in%20(a,b)&Contains=etl&limit=0&offset=50");
  assertEquals(runQueryOf("data", query), {
    namespace: "data",
    phases: ["Failed", "Error"],
    labels: ["team in (a,b)"],
    name: { match: "Contains", text: "etl" },
    createdAfter: undefined,
    finishedBefore: undefined,
    startedFrom: undefined,
    startedUntil: undefined,
  });
  assertEquals(windowOf(query), { limit: 0, offset: 50 });
  assertEquals(windowOf(queryOf("/workflows?limit=many&offset=-1")), { limit: 50, offset: 0 });
});

Deno.test("chipsOf: each filter is a chip, and removing it keeps the others", () => {
  const query = queryOf("/workflows?phase=Failed&phase=Error&Exact=etl&finishedBefore=2026-01-01T00:00:00Z&offset=50");
  const chips = chipsOf(query);
  assertEquals(chips.map(({ text }) => text), [
    "phase: Failed",
    "phase: Error",
    "name is etl",
    `finished before ${momentText("2026-01-01T00:00:00Z", { isShort: true })}`,
  ]);
  assertEquals(chips.at(-1)?.full, `finished before ${momentText("2026-01-01T00:00:00Z")}`);
  const left = runQueryOf("", chips[0]!.without);
  assertEquals([left.phases, left.name?.text], [["Error"], "etl"]);
  // A change of filters returns to the first page.
  assertEquals(windowOf(chips[0]!.without).offset, 0);
});

Deno.test("readFilter: parses typed filters, and ignores unknown phases", () => {
  const query = withValues([], readFilter("phase:failed,nonsense label:team=a etl", 0));
  assertEquals(query, [["phase", "Failed"], ["label", "team=a"], ["Contains", "etl"]]);
  assertEquals(readFilter("   ", 0), {});
});

Deno.test("orderOfColumn: sorts by a column, then in reverse, and returns to the first page", () => {
  const once = orderOfColumn(queryOf("/workflows?phase=Failed&offset=50"), "duration");
  assertEquals(once, [["phase", "Failed"], ["sort", "-duration"]]);
  assertEquals(windowOf(once), { limit: 50, offset: 0, order: { field: "duration", isDescending: true } });
  assertEquals(orderOfColumn(once, "duration"), [["phase", "Failed"], ["sort", "duration"]]);
  assertEquals(orderOfColumn(queryOf("/workflows?sort=duration"), "duration"), [["sort", "-duration"]]);
  assertEquals(orderOfColumn(queryOf("/workflows"), "started"), [["sort", "started"]]);
  assertEquals(orderOfColumn(queryOf("/workflows"), "name"), [["sort", "name"]]);
});

Deno.test("orderOf: the default order is not in the address, and an invalid one means the default", () => {
  const usual = orderChoices(queryOf("/workflows?sort=name")).find(({ text }) => text === "Newest first");
  assertEquals(usual?.next, []);
  assertEquals(windowOf(queryOf("/workflows?sort=colour")), { limit: 50, offset: 0 });
});

Deno.test("readFilter: times are dates in the user's zone, or ages", () => {
  const now = Date.parse("2026-03-28T12:00:00Z");
  assertEquals(readFilter("after:2h", now), { createdAfter: "2026-03-28T10:00:00.000Z" });
  assertEquals(readFilter("etl after:2026-03-01 before:2026-03-02t12:30", now), {
    Contains: "etl",
    createdAfter: parseLocalMoment("2026-03-01")!,
    finishedBefore: parseLocalMoment("2026-03-02T12:30")!,
  });
  assertEquals(readFilter("before:2026-03-02T12:30:00Z", now), { finishedBefore: "2026-03-02T12:30:00.000Z" });
});

Deno.test("chipsOf: an unknown phase or invalid time is ignored, and marked in its chip", () => {
  const query = queryOf("/workflows?phase=%3Cscript%3E&phase=Failed&createdAfter=yesterday");
  const { phases, createdAfter } = runQueryOf("", query);
  assertEquals([phases, createdAfter], [["Failed"], undefined]);
  assertEquals(chipsOf(query).map(({ text }) => text), [
    "phase: <script>: not a phase, ignored",
    "phase: Failed",
    "created after yesterday: not a time, ignored",
  ]);
});

Deno.test("windowOf: an invalid page is the default page", () => {
  for (
    const text of ["limit=-1", "offset=-1", "offset=1e9", "limit=1e3", "offset=0x10", "limit=9999999", "offset=1.5"]
  ) {
    assertEquals(windowOf(queryOf(`/workflows?${text}`)), { limit: 50, offset: 0 });
  }
});
