import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type GraphShape, UNCHANGED_SHAPE } from "../graph/graph_shape.ts";
import { partsOf } from "../graph/parts.ts";
import { partsIn } from "../graph/part.ts";
import { shapeGraph } from "../graph/shape.ts";
import { failedRows, filterRows } from "./shaped_rows.ts";
import { runToEnd } from "../run_to_end.ts";
import { treeRows } from "./tree_rows.ts";

function node(name: string, more: Partial<NodeStatus> = {}): NodeStatus {
  return {
    id: `id-${name}`,
    name,
    displayName: name.split(".").at(-1)!,
    type: "Pod",
    phase: "Succeeded",
    templateName: "work",
    boundaryID: "id-etl",
    ...more,
  };
}

/** A task, one with two attempts, and a group of two steps of which one failed. */
const NODES: readonly NodeStatus[] = [
  node("etl", {
    type: "DAG",
    phase: "Failed",
    templateName: "main",
    boundaryID: undefined,
    children: ["id-etl.first"],
  }),
  node("etl.first", { children: ["id-etl.again", "id-etl.box"] }),
  node("etl.again", { type: "Retry", templateName: "flaky", children: ["id-etl.again(0)", "id-etl.again(1)"] }),
  node("etl.again(0)", { phase: "Failed", templateName: "flaky", nodeFlag: { retried: true }, message: "no route" }),
  node("etl.again(1)", { templateName: "flaky", nodeFlag: { retried: true } }),
  node("etl.box", { type: "DAG", phase: "Failed", templateName: "inner", children: ["id-etl.box.a", "id-etl.box.b"] }),
  node("etl.box.a", { boundaryID: "id-etl.box" }),
  node("etl.box.b", { boundaryID: "id-etl.box", phase: "Failed", message: "no such table" }),
];
const RUN = {
  metadata: { name: "etl" },
  spec: { entrypoint: "main" },
  status: { phase: "Failed", nodes: Object.fromEntries(NODES.map((node) => [node.id, node])) },
} as unknown as Workflow;
const WHOLE = partsOf(RUN);
const ROWS = runToEnd(treeRows(RUN));

const rowsBy = (shape: Partial<GraphShape>) =>
  filterRows(ROWS, WHOLE, { ...UNCHANGED_SHAPE, ...shape }).map(({ node }) => node.displayName);

Deno.test("filterRows: keeps rows whose parts the graph would show, and their parent rows", () => {
  assertEquals(rowsBy({ phases: ["Failed"] }), ["etl", "box", "b"]);
  assertEquals(rowsBy({ templates: ["work"], phases: ["Succeeded"] }), ["etl", "box", "a", "first"]);
  assertEquals(rowsBy({ text: "such TABLE" }), ["etl", "box", "b"]);
  assertEquals(rowsBy({ types: ["HTTP"] }), []);
  assertEquals(filterRows(ROWS, WHOLE, { ...UNCHANGED_SHAPE, isGrouped: true, withArtifacts: true }), ROWS);
});

Deno.test("filterRows: attempts follow their retried node, as in the graph", () => {
  assertEquals(rowsBy({ templates: ["flaky"] }), ["etl", "again", "again(0)", "again(1)"]);
  assertEquals(rowsBy({ text: "again" }), ["etl", "again", "again(0)", "again(1)"]);
});

Deno.test("filterRows: every part in a filtered graph has a row", () => {
  for (const shape of [{ phases: ["Succeeded"] }, { text: "no" }, { templates: ["inner"] }]) {
    const rows = new Set(filterRows(ROWS, WHOLE, { ...UNCHANGED_SHAPE, ...shape }).map(({ node }) => node.name));
    const missing = [...partsIn(shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, ...shape }))].slice(1).filter(({ key }) =>
      !rows.has(key)
    );
    assertEquals(missing.map(({ key }) => key), []);
  }
});

Deno.test("failedRows: keeps failed nodes, including attempts, and their parent rows", () => {
  assertEquals(failedRows(ROWS).map(({ node }) => node.displayName), ["etl", "again", "again(0)", "box", "b"]);
});
