/** The worker that builds large graphs, with their default folding and layout. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { withTemplatesOf } from "../model/graph/changed_nodes.ts";
import { failedPartsOf, openParts } from "../model/graph/fold.ts";
import type { FromGraph, ToGraph } from "../model/graph/graph_talk.ts";
import { Layout } from "../model/graph/layout.ts";
import { shapeGraph } from "../model/graph/shape.ts";
import { type PartRow, rowChangesOf, rowsOfPart } from "../model/graph/part_rows.ts";
import { partsOf } from "../model/graph/parts.ts";
import { columnsOf, memoryOf } from "../model/graph/picture_columns.ts";
import type { Part } from "../model/graph/part.ts";
import { touchedParts } from "../model/graph/touched_parts.ts";

/** Rows per message, which takes the page a few milliseconds to read. */
const ROWS_AT_ONCE = 500;

const layout = new Layout();
let run: Workflow | undefined;
let nodes: Record<string, NodeStatus> = {};
/** The latest graphs by request ID: the page may lay out an older one while a new one is built. */
const made = new Map<number, Part>();
/** The maximum number of graphs that are kept: the last two, each with and without filters. */
const MAX_MADE = 4;

addEventListener("message", ({ data }: MessageEvent<ToGraph>) => {
  switch (data.kind) {
    case "run":
      if (data.isAnew || !run) [run, nodes] = [data.run, {}];
      else run = withTemplatesOf(run, data.run);
      return;
    case "tasks":
      run?.spec.templates?.[data.template]?.dag?.tasks.push(...data.tasks);
      return;
    case "nodes":
      for (const node of data.nodes) nodes[node.id] = node;
      return;
    case "order":
      nodes = Object.fromEntries(data.ids.map((id) => [id, nodes[id]!]));
      return;
    case "make":
      return buildGraph(data.id);
    case "touch":
      return applyChanges(data.id, data.nodes);
    case "shape":
      return answerRows(data.id, made.has(data.of) ? shapeGraph(made.get(data.of)!, data.shape) : undefined);
    case "lay":
      return layOutGraph(data);
  }
});

/** The rows of the latest graph. */
let rowsBefore: readonly PartRow[] = [];

function buildGraph(id: number): void {
  if (!run) return;
  const whole = partsOf({ ...run, status: { ...run.status, nodes } });
  current = whole;
  const rows = [...rowsOfPart(whole)];
  const changed = rowChangesOf(rowsBefore, rows, ROWS_AT_ONCE);
  rowsBefore = rows;
  if (!changed) return answerRows(id, whole, rows);
  storeGraph(id, whole);
  postToPage({ kind: "changed", id, ...changed }, [changed.places.buffer]);
}

/** The latest graph. */
let current: Part | undefined;

function applyChanges(id: number, changed: readonly NodeStatus[]): void {
  if (!current) return;
  for (const node of changed) nodes[node.id] = node;
  // Both sides keep the rows of the previous graph; updated parts differ from them.
  current = touchedParts(current, new Map(changed.map((node) => [node.id, node]))).whole;
  storeGraph(id, current);
}

function storeGraph(id: number, whole: Part): void {
  made.set(id, whole);
  for (const old of [...made.keys()].slice(0, -MAX_MADE)) made.delete(old);
}

function answerRows(id: number, whole: Part | undefined, all: Iterable<PartRow> | undefined = undefined): void {
  if (!whole) return;
  storeGraph(id, whole);
  let rows: PartRow[] = [];
  for (const row of all ?? rowsOfPart(whole)) {
    if (rows.length === ROWS_AT_ONCE) {
      postToPage({ kind: "rows", id, rows, isLast: false });
      rows = [];
    }
    rows.push(row);
  }
  postToPage({ kind: "rows", id, rows, isLast: true });
}

function layOutGraph(
  { id, of, choice: { fold, onlyFailed: isFailedOnly, way } }: Extract<ToGraph, { kind: "lay" }>,
): void {
  const whole = made.get(of);
  if (!whole) return;
  const shown = isFailedOnly ? failedPartsOf(whole) : whole;
  const open = openParts(shown, fold);
  for (const key of way) open.add(key);
  const columns = columnsOf(shown, layout.layOut(shown, open));
  postToPage({ kind: "picture", id, columns }, memoryOf(columns));
}

function postToPage(message: FromGraph, handedOver: ArrayBuffer[] = []): void {
  postMessage(message, { transfer: handedOver });
}
