/** The thread that makes large graphs, as the page asks it: nothing of it holds the page up for long. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { changedNodes, isSame, type NodeChanges } from "../../model/graph/changed_nodes.ts";
import { isInPlace, touchedParts, touchedPicture } from "../../model/graph/touched_parts.ts";
import type { FromGraph, LayChoice, ToGraph } from "../../model/graph/graph_talk.ts";
import type { Picture } from "../../model/graph/layout.ts";
import type { Part } from "../../model/graph/part.ts";
import type { GraphShape } from "../../model/graph/graph_shape.ts";
import { PartBuilder, type PartRow, rowsOf } from "../../model/graph/part_rows.ts";
import { pictureOf } from "../../model/graph/picture_columns.ts";
import { onlyFailed } from "../../model/graph/fold.ts";
import { rested, restNow } from "../../api/rest.ts";
import { startThread } from "../../api/thread_url.ts";
import * as words from "../../model/text/en/graph_thread.ts";

/** Nodes of a piece: writing it takes the page a few milliseconds. */
const NODES_AT_ONCE = 500;

/** The most nodes that are changed where they stand: of more the thread makes all parts anew. */
const MOST_TOUCHED = 500;

/** Makes graphs and lays them out. */
export interface GraphThread extends Disposable {
  /** The graph of a run; asked for one after the other. */
  make(run: Workflow): Promise<Part>;
  /** A graph that it made, as it is chosen; of an old one there is no answer. */
  shape(whole: Part, shape: GraphShape): Promise<Part>;
  /** The picture of a graph that it made or shaped; of none but the last four there is an answer. */
  lay(whole: Part, choice: LayChoice): Promise<Picture>;
}

/** Starts the thread; it ends when it is disposed, and open questions are then never answered. */
export function startGraphThread(): GraphThread {
  const worker = startThread("graph");
  let newest = 0;
  const ids = new WeakMap<Part, number>();
  const nodesOf = new WeakMap<Part, Nodes>();
  /** The state that the thread has. */
  let told: Workflow | undefined;
  /** The rows of the graph that it made last. */
  let rowsMade: readonly PartRow[] = [];
  /** The parts of rows: those of a later graph that are the same are not made again. */
  const known = new WeakMap<PartRow, Part>();
  /** The graph of that state. */
  let current: Part | undefined;
  /** The graphs that are open by themselves where the one is from which they were touched. */
  const openedAs = new WeakMap<Part, symbol>();
  let laid: { readonly as: symbol; readonly choice: LayChoice; readonly picture: Picture } | undefined;
  const tell = (message: ToGraph) => worker.postMessage(message);
  const tellNodes = async (nodes: Iterable<NodeStatus>) => {
    let piece: NodeStatus[] = [];
    for (const node of nodes) {
      piece.push(node);
      if (piece.length < NODES_AT_ONCE) continue;
      tell({ kind: "nodes", nodes: piece });
      piece = [];
      await restNow();
    }
    tell({ kind: "nodes", nodes: piece });
  };
  /** Reads answers to one question until `take` says that it has all. */
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
  /** The part whose rows answer a question. */
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
    const whole = await rested(partOfRows(rows, nodes, known));
    ids.set(whole, id);
    nodesOf.set(whole, nodes);
    return whole;
  };
  return {
    async make(run) {
      const id = ++newest;
      const { nodes = {}, ...status } = run.status ?? {};
      const { templates = [], ...rest } = run.spec;
      const bare = templates.map((one) => one.dag ? { ...one, dag: { ...one.dag, tasks: [] } } : one);
      const spec = run.spec.templates ? { ...rest, templates: bare } : rest;
      // Most states differ from the one before in a few nodes: the others, and the tasks, are there already.
      const before = told;
      const changed = before && await rested(changedNodes(before, run));
      told = run;
      if (before && current && changed && isTouched(before, run, changed)) {
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
            await restNow();
          }
        }
      }
      await tellNodes(changed?.nodes ?? valuesOf(nodes));
      if (changed?.order) tell({ kind: "order", ids: changed.order });
      current = await built(id, nodes, () => tell({ kind: "make", id }), (rows) => rowsMade = rows);
      openedAs.set(current, Symbol());
      return current;
    },
    async shape(whole, shape) {
      const id = ++newest;
      return await built(
        id,
        nodesOf.get(whole) ?? {},
        () => tell({ kind: "shape", id, of: ids.get(whole) ?? 0, shape }),
      );
    },
    async lay(whole, choice) {
      const as = openedAs.get(whole);
      if (as !== undefined && laid?.as === as && isSameChoice(laid.choice, choice)) {
        laid = { as, choice, picture: await rested(touchedPicture(laid.picture, whole)) };
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
      const picture = await rested(pictureOf(choice.onlyFailed ? onlyFailed(whole) : whole, columns!));
      if (as !== undefined && !choice.onlyFailed) laid = { as, choice, picture };
      return picture;
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** Whether few nodes changed, where they stand. */
function isTouched(before: Workflow, run: Workflow, { nodes, hasNew }: NodeChanges): boolean {
  return !hasNew && nodes.length <= MOST_TOUCHED && isInPlace(before, run, nodes);
}

/** Choices are held, and made anew when one is made. */
function isSameChoice(one: LayChoice, other: LayChoice): boolean {
  return one.onlyFailed === other.onlyFailed && isSame(one.way, other.way) && one.fold.size === other.fold.size &&
    [...one.fold].every(([key, isOpen]) => other.fold.get(key) === isOpen);
}

/** The nodes one after another, without a list of them. */
function* valuesOf(nodes: Nodes): Generator<NodeStatus> {
  for (const key in nodes) yield nodes[key]!;
}

type Nodes = Readonly<Record<string, NodeStatus>>;

function* partOfRows(
  rows: readonly PartRow[],
  nodes: Nodes,
  known: WeakMap<PartRow, Part>,
): Generator<undefined, Part> {
  const builder = new PartBuilder(nodes, known);
  for (const [at, row] of rows.entries()) {
    builder.add(row);
    if (at % NODES_AT_ONCE === 0) yield;
  }
  return builder.whole();
}
