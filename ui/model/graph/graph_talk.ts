/** The messages between the page and the graph worker. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import type { PartRow } from "./part_rows.ts";
import type { GraphShape } from "./graph_shape.ts";
import type { PictureColumns } from "./picture_columns.ts";

/** A task of a DAG: a large DAG has one per node. */
export type DagTask = NonNullable<NonNullable<Workflow["spec"]["templates"]>[number]["dag"]>["tasks"][number];

/** The user's choices for the layout. */
export interface LayoutChoice {
  readonly fold: ReadonlyMap<string, boolean>;
  readonly onlyFailed: boolean;
  /** Keys that are open in any case, because they contain the selected part. */
  readonly way: readonly string[];
}

/**
 * Messages to the worker. A run is sent without nodes and tasks; these follow in pieces, and `make` ends them. Unless
 * `isAnew`, the worker reuses the tasks of the previous state, and its nodes except for those that follow.
 */
export type ToGraph =
  | { readonly kind: "run"; readonly run: Workflow; readonly isAnew: boolean }
  | { readonly kind: "tasks"; readonly template: number; readonly tasks: readonly DagTask[] }
  | { readonly kind: "nodes"; readonly nodes: readonly NodeStatus[] }
  /** The order of all nodes, if new ones are not at the end. */
  | { readonly kind: "order"; readonly ids: readonly string[] }
  | { readonly kind: "make"; readonly id: number }
  /** Sent instead if the changed nodes keep their positions: both sides update their parts in the same way. */
  | { readonly kind: "touch"; readonly id: number; readonly nodes: readonly NodeStatus[] }
  /** Selects the parts of a built graph. The worker replies with rows, and the result is laid out by its own ID. */
  | { readonly kind: "shape"; readonly id: number; readonly of: number; readonly shape: GraphShape }
  /** `of` is the ID with which the graph was built; outdated ones get no reply. */
  | { readonly kind: "lay"; readonly id: number; readonly of: number; readonly choice: LayoutChoice };

/** Messages to the page: the rows of a graph in pieces, then the picture of each layout. */
export type FromGraph =
  | { readonly kind: "rows"; readonly id: number; readonly rows: readonly PartRow[]; readonly isLast: boolean }
  /** Sent instead of all rows: the index of each row in the previous graph; -1 for the next of the new rows. */
  | {
    readonly kind: "changed";
    readonly id: number;
    readonly places: Int32Array<ArrayBuffer>;
    readonly rows: readonly PartRow[];
  }
  | { readonly kind: "picture"; readonly id: number; readonly columns: PictureColumns };
