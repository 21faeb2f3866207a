/** The client of the worker that builds and lays out large graphs, without blocking the page. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { changedNodes, isSame, type NodeChanges } from "../../model/graph/changed_nodes.ts";
import { isInPlace, touchedParts, touchedPicture } from "../../model/graph/touched_parts.ts";
import type { FromGraph, LayoutChoice, ToGraph } from "../../model/graph/graph_talk.ts";
import type { Picture } from "../../model/graph/layout.ts";
import type { Part } from "../../model/graph/part.ts";
import type { GraphShape } from "../../model/graph/graph_shape.ts";
import { PartBuilder, type PartRow, rowsOf } from "../../model/graph/part_rows.ts";
import { pictureOf } from "../../model/graph/picture_columns.ts";
import { failedPartsOf } from "../../model/graph/fold.ts";
import { runWithPauses, yieldToTasks } from "../../api/pauses.ts";
import { startThread } from "../../api/thread_url.ts";
import * as words from "../../model/text/en/graph.ts";

/** Nodes per message, which takes a few milliseconds to serialize. */
const NODES_AT_ONCE = 500;

/** The limit for updating changed nodes in place; beyond it, the worker builds all parts again. */
const MAX_TOUCHED = 500;

/** Builds graphs and lays them out. */
export interface GraphThread extends Disposable {
  /** Builds the graph of a run; calls must be sequential. */
  buildGraph(run: Workflow): Promise<Part>;
  /** Applies filters to a graph that this thread built. Never resolves if a newer graph was requested since. */
  filterGraph(whole: Part, shape: GraphShape): Promise<Part>;
  /** Lays out a graph that this thread built or filtered. Only the last four graphs resolve. */
  layOut(whole: Part, choice: LayoutChoice): Promise<Picture>;
}

/** Starts the worker. It ends when it is disposed, and pending calls then never resolve. */
export function startGraphThread(): GraphThread {
  const worker = startThread("graph");
  let newest = 0;
  const ids = new WeakMap<Part, number>();
  const nodesOf = new WeakMap<Part, Nodes>();
  /** The state of the run that the worker has. */
  let told: Workflow | undefined;
  /** The rows of the last graph. */
  let rowsMade: readonly PartRow[] = [];
  /** The parts of rows, to reuse equal ones in later graphs. */
  const known = new WeakMap<PartRow, Part>();
  /** The graph of that state. */
  let current: Part | undefined;
  /** Graphs with the same default folding share a symbol. */
  const openedAs = new WeakMap<Part, symbol>();
  let laid: { readonly as: symbol; readonly choice: LayoutChoice; readonly picture: Picture } | undefined;
  const tell = (message: ToGraph) => worker.postMessage(message);
  const tellNodes = async (nodes: Iterable<NodeStatus>) => {
    let piece: NodeStatus[] = [];
    for (const node of nodes) {
      piece.push(node);
      if (piece.length < NODES_AT_ONCE) continue;
      tell({ kind: "nodes", nodes: piece });
      piece = [];
      await yieldToTasks();
    }
    tell({ kind: "nodes", nodes: piece });
  };
  /** Receives the messages for one request until `take` returns true. */
  const answers = (id: number, take: (message: FromGraph) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        worker.removeEventListener("message", onMessage);
        worker.removeEventListener("error", onError);
        settle();
      };
      const onMessage = ({ data }: MessageEvent<FromGraph>) => {
        if (data.id === id && take(data)) end(resolve);
      };
      const onError = (event: ErrorEvent) => end(() => reject(new Error(words.threadFailed(event.message))));
      worker.addEventListener("message", onMessage);
      worker.addEventListener("error", onError);
    });
  /** Builds the part of the rows for a request. */
  const built = async (
    id: number,
    nodes: Nodes,
    ask: () => void,
    take: (rows: readonly PartRow[]) => void = () => {},
  ): Promise<Part> => {
    let rows: PartRow[] = [];
    const all = answers(id, (message) => {
      if (message.kind === "changed") {
        rows = rowsOf(message, rowsMade);
        return true;
      }
      if (message.kind !== "rows") return false;
      for (const row of message.rows) rows.push(row);
      return message.isLast;
    });
    ask();
    await all;
    take(rows);
    const whole = await runWithPauses(partOfRows(rows, nodes, known));
    ids.set(whole, id);
    nodesOf.set(whole, nodes);
    return whole;
  };
  return {
    async buildGraph(run) {
      const id = ++newest;
      const { nodes = {}, ...status } = run.status ?? {};
      const { templates = [], ...rest } = run.spec;
      const bare = templates.map((template) =>
        template.dag ? { ...template, dag: { ...template.dag, tasks: [] } } : template
      );
      const spec = run.spec.templates ? { ...rest, templates: bare } : rest;
      // Most states differ in few nodes: the worker already has the others and the tasks.
      const before = told;
      const changed = before && await runWithPauses(changedNodes(before, run));
      told = run;
      if (before && current && changed && isSmallChange(before, run, changed)) {
        const { whole, isAsOpen } = touchedParts(current, new Map(changed.nodes.map((node) => [node.id, node])));
        tell({ kind: "touch", id, nodes: changed.nodes });
        openedAs.set(whole, isAsOpen ? openedAs.get(current) ?? Symbol() : Symbol());
        ids.set(whole, id);
        nodesOf.set(whole, nodes);
        return current = whole;
      }
      tell({ kind: "run", run: { ...run, spec, status }, isAnew: !changed });
      if (!changed) {
        for (const [template, { dag }] of templates.entries()) {
          for (let from = 0; from < (dag?.tasks.length ?? 0); from += NODES_AT_ONCE) {
            tell({ kind: "tasks", template, tasks: dag!.tasks.slice(from, from + NODES_AT_ONCE) });
            await yieldToTasks();
          }
        }
      }
      await tellNodes(changed?.nodes ?? valuesOf(nodes));
      if (changed?.order) tell({ kind: "order", ids: changed.order });
      current = await built(id, nodes, () => tell({ kind: "make", id }), (rows) => rowsMade = rows);
      openedAs.set(current, Symbol());
      return current;
    },
    async filterGraph(whole, shape) {
      const id = ++newest;
      return await built(
        id,
        nodesOf.get(whole) ?? {},
        () => tell({ kind: "shape", id, of: ids.get(whole) ?? 0, shape }),
      );
    },
    async layOut(whole, choice) {
      const as = openedAs.get(whole);
      if (as !== undefined && laid?.as === as && isSameChoice(laid.choice, choice)) {
        laid = { as, choice, picture: await runWithPauses(touchedPicture(laid.picture, whole)) };
        return laid.picture;
      }
      const id = ++newest;
      let columns: Parameters<typeof pictureOf>[1] | undefined;
      const all = answers(id, (message) => {
        if (message.kind !== "picture") return false;
        columns = message.columns;
        return true;
      });
      tell({ kind: "lay", id, of: ids.get(whole) ?? 0, choice });
      await all;
      const picture = await runWithPauses(pictureOf(choice.onlyFailed ? failedPartsOf(whole) : whole, columns!));
      if (as !== undefined && !choice.onlyFailed) laid = { as, choice, picture };
      return picture;
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** Reports whether few nodes changed, in place. */
function isSmallChange(before: Workflow, run: Workflow, { nodes, hasNew }: NodeChanges): boolean {
  return !hasNew && nodes.length <= MAX_TOUCHED && isInPlace(before, run, nodes);
}

/** Choices are cached by content. */
function isSameChoice(layoutChoice: LayoutChoice, other: LayoutChoice): boolean {
  return layoutChoice.onlyFailed === other.onlyFailed && isSame(layoutChoice.way, other.way) &&
    layoutChoice.fold.size === other.fold.size &&
    [...layoutChoice.fold].every(([key, isOpen]) => other.fold.get(key) === isOpen);
}

/** Iterates over nodes without allocating a list. */
function* valuesOf(nodes: Nodes): Generator<NodeStatus> {
  for (const key in nodes) yield nodes[key]!;
}

type Nodes = Readonly<Record<string, NodeStatus>>;

function* partOfRows(
  rows: readonly PartRow[],
  nodes: Nodes,
  knownParts: WeakMap<PartRow, Part>,
): Generator<undefined, Part> {
  const builder = new PartBuilder(nodes, knownParts);
  for (const [index, row] of rows.entries()) {
    builder.add(row);
    if (index % NODES_AT_ONCE === 0) yield;
  }
  return builder.outermostPart();
}
