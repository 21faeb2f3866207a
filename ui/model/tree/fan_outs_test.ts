import { assertEquals } from "@std/assert";
import { sampleNode, sampleRun } from "../../testing/objects.ts";
import { runToEnd } from "../run_to_end.ts";
import { foldedRowIds, groupLoopRows } from "./fan_outs.ts";
import { treeRows, visibleRows } from "./tree_rows.ts";

/** A run with a task, a loop, and a task that starts while the loop is running. */
function rowsOf(count: number) {
  const items = Array.from(
    { length: count },
    (_, i) => sampleNode(`load(${i})`, i === 7 ? "Failed" : "Succeeded", { startedAt: `2026-03-04T11:00:${10 + i}Z` }),
  );
  const report = sampleNode("report", "Succeeded", { startedAt: "2026-03-04T11:00:15Z" });
  const nodes = [sampleNode("extract", "Succeeded"), ...items, report];
  return groupLoopRows(runToEnd(treeRows(sampleRun({ nodes }))));
}

const NONE: ReadonlyMap<string, boolean> = new Map();
const GROUP = "id-load(0)*";

Deno.test("groupLoopRows: more than twenty items of a loop are a group with their phase and time", () => {
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

Deno.test("foldedRowIds: folds groups unless they contain the selected node or the user opened them", () => {
  const rows = rowsOf(21);
  const folded = foldedRowIds(rows, NONE, undefined);
  assertEquals([...folded], [GROUP]);
  assertEquals(visibleRows(rows.rows, folded).map(({ node }) => node.displayName), [
    "hello",
    "extract",
    "load",
    "report",
  ]);
  assertEquals([...foldedRowIds(rows, NONE, GROUP)], [GROUP]);
  assertEquals([...foldedRowIds(rows, NONE, "id-load(3)")], []);
  assertEquals([...foldedRowIds(rows, new Map([["hello.load", true]]), undefined)], []);
  assertEquals([...foldedRowIds(rowsOf(2), new Map([["hello", false]]), "id-load(1)")], ["hello"]);
  assertEquals([...foldedRowIds(rowsOf(2), NONE, undefined)], []);
});
