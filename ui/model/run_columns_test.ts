import { assertEquals } from "@std/assert";
import type { ColumnSetting } from "../api/source.ts";
import {
  chosenColumns,
  columnChoices,
  columnsOf,
  columnValue,
  parseColumnId,
  readColumns,
  toggleColumn,
} from "./run_columns.ts";

const TEAM: ColumnSetting = { name: "Team", type: "label", key: "team" };

Deno.test("columnsOf: the default is the built-in columns and those of the installation", () => {
  const { usual, values } = columnsOf([TEAM], undefined);
  assertEquals([[...usual], values], [["progress", "duration", "started", "source", "message"], [TEAM]]);
});

Deno.test("columnChoices: creator and end are offered, and hidden by default", () => {
  assertEquals(columnChoices([], undefined).filter(({ isOn }) => !isOn).map(({ id }) => id), [
    "finished",
    "creator",
  ]);
});

Deno.test("chosenColumns: the address takes precedence over the browser's storage", () => {
  assertEquals(chosenColumns([["cols", "finished"]], "duration"), ["finished"]);
  assertEquals(chosenColumns([], "duration"), ["duration"]);
  assertEquals(chosenColumns([], ""), undefined);
});

Deno.test("readColumns: ignores invalid columns", () => {
  assertEquals(readColumns("nothing,duration,label:,label:a b,x:y,<script>,duration,annotation:example.com/a"), [
    "duration",
    "annotation:example.com/a",
  ]);
  assertEquals(readColumns("label:a,".repeat(10_000))?.length, 1);
  assertEquals(readColumns(Array.from({ length: 99 }, (_, i) => `label:a${i}`).join(","))?.length, 20);
});

Deno.test("toggleColumn: hiding and showing a column again restores the default", () => {
  const without = toggleColumn([TEAM], undefined, "label:team", false);
  assertEquals(without, "progress,duration,started,source,message");
  assertEquals(toggleColumn([TEAM], readColumns(without), "label:team", true), "");
});

Deno.test("toggleColumn: hiding the last column leaves the name only", () => {
  const chosen = readColumns(toggleColumn([TEAM], ["duration"], "duration", false));
  assertEquals([columnsOf([TEAM], chosen).usual.size, columnsOf([TEAM], chosen).values], [0, []]);
  assertEquals(toggleColumn([TEAM], chosen, "duration", true), "duration");
});

Deno.test("toggleColumn: a custom column has the last part of its key as header, and can be removed", () => {
  const chosen = readColumns(toggleColumn([TEAM], undefined, parseColumnId("example.com/owner")!, true));
  assertEquals(columnsOf([TEAM], chosen).values, [TEAM, { name: "owner", type: "label", key: "example.com/owner" }]);
  const last = columnChoices([TEAM], chosen).at(-1);
  assertEquals(last, { id: "label:example.com/owner", word: "owner", isOn: true });
  assertEquals(columnChoices([TEAM], readColumns("duration")).filter(({ isOn }) => isOn).map(({ id }) => id), [
    "duration",
  ]);
});

Deno.test("parseColumnId: accepts the key of a label, or a key with its type", () => {
  assertEquals([" team ", "annotation:a/b", "no key", ""].map(parseColumnId), [
    "label:team",
    "annotation:a/b",
    undefined,
    undefined,
  ]);
});

Deno.test("columnValue: undefined if the run has no such label", () => {
  const metadata = { labels: { team: "data" }, annotations: { ticket: "T-1" } };
  const value = (type: ColumnSetting["type"], key: string) => columnValue({ name: "x", type, key }, metadata);
  assertEquals([value("label", "team"), value("annotation", "ticket")], ["data", "T-1"]);
  assertEquals([value("label", "ticket"), value("label", "constructor"), value("annotation", "toString")], [
    undefined,
    undefined,
    undefined,
  ]);
});
