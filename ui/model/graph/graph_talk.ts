/** The messages between the page and the thread that makes graphs. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import type { PartRow } from "./part_rows.ts";
import type { GraphShape } from "./graph_shape.ts";
import type { PictureColumns } from "./picture_columns.ts";

/** A task of a DAG: a large one has as many as it has nodes. */
export type DagTask = NonNullable<NonNullable<Workflow["spec"]["templates"]>[number]["dag"]>["tasks"][number];

/** The choices by which parts are laid out. */
export interface LayChoice {
  readonly fold: ReadonlyMap<string, boolean>;
  readonly onlyFailed: boolean;
  /** Keys that are open whatever the folding says: what is chosen lies in them. */
  readonly way: readonly string[];
}

/**
 * The page to the thread. A run comes without its nodes and its tasks; they follow in pieces, and `make` ends them. Where it
 * is not told anew, it has the tasks of the state before, and the nodes but for those that follow.
 */
export type ToGraph =
  | { readonly kind: "run"; readonly run: Workflow; readonly isAnew: boolean }
  | { readonly kind: "tasks"; readonly template: number; readonly tasks: readonly DagTask[] }
  | { readonly kind: "nodes"; readonly nodes: readonly NodeStatus[] }
  /** The order of all nodes, in which new ones do not come after the others. */
  | { readonly kind: "order"; readonly ids: readonly string[] }
  | { readonly kind: "make"; readonly id: number }
  /** In place of that where the nodes that follow a run stand where they stood: both sides change their parts alike. */
  | { readonly kind: "touch"; readonly id: number; readonly nodes: readonly NodeStatus[] }
  /** A graph that was made, as it is chosen: answered with its rows, and laid out by its own id afterwards. */
  | { readonly kind: "shape"; readonly id: number; readonly of: number; readonly shape: GraphShape }
  /** `of` is the id by which the graph was made; of one that is too old there is no answer. */
  | { readonly kind: "lay"; readonly id: number; readonly of: number; readonly choice: LayChoice };

/** The thread to the page: the rows of a graph in pieces, then the picture of each choice. */
export type FromGraph =
  | { readonly kind: "rows"; readonly id: number; readonly rows: readonly PartRow[]; readonly isLast: boolean }
  /** In place of all rows: where each is in the graph made before; -1 for the next of those that are not in it. */
  | {
    readonly kind: "changed";
    readonly id: number;
    readonly places: Int32Array<ArrayBuffer>;
    readonly rows: readonly PartRow[];
  }
  | { readonly kind: "picture"; readonly id: number; readonly columns: PictureColumns };
