import { assertEquals } from "@std/assert";
import { sampleNode, sampleRun } from "../../testing/objects.ts";
import { drained } from "../drained.ts";
import { fannedRows, foldedRows } from "./fan_outs.ts";
import { treeRows, unfoldedRows } from "./tree_rows.ts";

/** A run with a task, a loop, and a task that starts while the loop is running. */
function rowsOf(count: number) {
  const items = Array.from(
    { length: count },
    (_, i) => sampleNode(`load(${i})`, i === 7 ? "Failed" : "Succeeded", { startedAt: `2026-03-04T11:00:${10 + i}Z` }),
  );
  const report = sampleNode("report", "Succeeded", { startedAt: "2026-03-04T11:00:15Z" });
  const nodes = [sampleNode("extract", "Succeeded"), ...items, report];
  return fannedRows(drained(treeRows(sampleRun({ nodes }))));
}

const NONE: ReadonlyMap<string, boolean> = new Map();
const GROUP = "id-load(0)*";

Deno.test("fannedRows: more than twenty items of a loop are a group with their phase and time", () => {
  assertEquals(rowsOf(20).fanOuts, new Map());
  const { rows, fanOuts } = rowsOf(21);
  assertEquals([...fanOuts], [[GROUP, { count: 21, failed: 1 }]]);
  const shape = rows.map(({ node, level, parent, place, siblings }) =>
    [node.displayName, level, parent, `${place}/${siblings}`].join(" ")
  );
  assertEquals(shape.length, 25);
  assertEquals(shape.slice(0, 4), [
    "hello 1  1/1",
    "extract 2 hello 1/3",
    "load 2 hello 2/3",
    `load(0) 3 ${GROUP} 1/21`,
  ]);
  assertEquals(shape.at(-1), "report 2 hello 3/3");
  const { name, phase, startedAt, finishedAt } = rows[2]!.node;
  assertEquals([name, phase, startedAt, finishedAt], [
    "hello.load",
    "Failed",
    "2026-03-04T11:00:10Z",
    "2026-03-04T11:02:30Z",
  ]);
});

Deno.test("foldedRows: folds groups unless they contain the selected node or the user opened them", () => {
  const rows = rowsOf(21);
  const folded = foldedRows(rows, NONE, undefined);
  assertEquals([...folded], [GROUP]);
  assertEquals(unfoldedRows(rows.rows, folded).map(({ node }) => node.displayName), [
    "hello",
    "extract",
    "load",
    "report",
  ]);
  assertEquals([...foldedRows(rows, NONE, GROUP)], [GROUP]);
  assertEquals([...foldedRows(rows, NONE, "id-load(3)")], []);
  assertEquals([...foldedRows(rows, new Map([["hello.load", true]]), undefined)], []);
  assertEquals([...foldedRows(rowsOf(2), new Map([["hello", false]]), "id-load(1)")], ["hello"]);
  assertEquals([...foldedRows(rowsOf(2), NONE, undefined)], []);
});
