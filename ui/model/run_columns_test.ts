import { assertEquals } from "@std/assert";
import type { ColumnSetting } from "../api/source.ts";
import {
  chosenColumns,
  columnChoices,
  columnNamed,
  columnsOf,
  columnValue,
  readColumns,
  withColumn,
} from "./run_columns.ts";

const TEAM: ColumnSetting = { name: "Team", type: "label", key: "team" };

Deno.test("where nobody has chosen a list has the usual columns, and those of the installation", () => {
  const { usual, values } = columnsOf([TEAM], undefined);
  assertEquals([[...usual], values], [["progress", "duration", "started", "message"], [TEAM]]);
});

Deno.test("columnChoices: source, creator and end are offered, and hidden at first", () => {
  assertEquals(columnChoices([], undefined).filter(({ isOn }) => !isOn).map(({ id }) => id), [
    "finished",
    "source",
    "creator",
  ]);
});

Deno.test("the address has its columns before those that this browser keeps", () => {
  assertEquals(chosenColumns([["cols", "finished"]], "duration"), ["finished"]);
  assertEquals(chosenColumns([], "duration"), ["duration"]);
  assertEquals(chosenColumns([], ""), undefined);
});

Deno.test("what is no column is left out, whoever wrote it", () => {
  assertEquals(readColumns("nothing,duration,label:,label:a b,x:y,<script>,duration,annotation:example.com/a"), [
    "duration",
    "annotation:example.com/a",
  ]);
  assertEquals(readColumns("label:a,".repeat(10_000))?.length, 1);
  assertEquals(readColumns(Array.from({ length: 99 }, (_, i) => `label:a${i}`).join(","))?.length, 20);
});

Deno.test("a column that is left out and shown again is the usual choice, which is none", () => {
  const without = withColumn([TEAM], undefined, "label:team", false);
  assertEquals(without, "progress,duration,started,message");
  assertEquals(withColumn([TEAM], readColumns(without), "label:team", true), "");
});

Deno.test("a list whose last column is left out has names alone, not the usual columns", () => {
  const chosen = readColumns(withColumn([TEAM], ["duration"], "duration", false));
  assertEquals([columnsOf([TEAM], chosen).usual.size, columnsOf([TEAM], chosen).values], [0, []]);
  assertEquals(withColumn([TEAM], chosen, "duration", true), "duration");
});

Deno.test("a column of one's own is shown under the last part of its key, and can be taken away", () => {
  const chosen = readColumns(withColumn([TEAM], undefined, columnNamed("example.com/owner")!, true));
  assertEquals(columnsOf([TEAM], chosen).values, [TEAM, { name: "owner", type: "label", key: "example.com/owner" }]);
  const last = columnChoices([TEAM], chosen).at(-1);
  assertEquals(last, { id: "label:example.com/owner", word: "owner", isOn: true });
  assertEquals(columnChoices([TEAM], readColumns("duration")).filter(({ isOn }) => isOn).map(({ id }) => id), [
    "duration",
  ]);
});

Deno.test("a column is named by the key of a label, or by what it is a key of", () => {
  assertEquals([" team ", "annotation:a/b", "no key", ""].map(columnNamed), [
    "label:team",
    "annotation:a/b",
    undefined,
    undefined,
  ]);
});

Deno.test("a column has the value that a run has for it, and none where the run has no such label", () => {
  const metadata = { labels: { team: "data" }, annotations: { ticket: "T-1" } };
  const value = (type: ColumnSetting["type"], key: string) => columnValue({ name: "x", type, key }, metadata);
  assertEquals([value("label", "team"), value("annotation", "ticket")], ["data", "T-1"]);
  assertEquals([value("label", "ticket"), value("label", "constructor"), value("annotation", "toString")], [
    undefined,
    undefined,
    undefined,
  ]);
});
