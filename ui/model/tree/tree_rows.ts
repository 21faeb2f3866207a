/** The rows of the tree: those of `tiphys get`, with what a treegrid needs to know of each. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { workflowTreesInPieces } from "@tiphys/model/status";

/** One row: a node, how deep it stands, and the row above which it stands. */
export interface TreeGridRow {
  readonly node: NodeStatus;
  /** The depth of the row, from 1. */
  readonly level: number;
  /** The ID of the node whose row it stands below; undefined for a root. */
  readonly parent: string | undefined;
  readonly hasChildren: boolean;
  /** Its place among its siblings from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
}

type Draft = { -readonly [K in keyof TreeGridRow]: TreeGridRow[K] } & { children: number };

/** Rows that are made without a rest. */
const PIECE = 1_000;

/** All rows, in the order in which the tree is read. There may be tens of thousands: each `yield` is a place to rest at. */
export function* treeRows(workflow: Workflow): Generator<undefined, TreeGridRow[]> {
  const rows: Draft[] = [];
  const holders: (Draft | undefined)[] = [];
  let roots = 0;
  for (const tree of yield* workflowTreesInPieces(workflow)) {
    const way: { readonly depth: number; readonly row: Draft }[] = [];
    for (const { branch, node } of tree) {
      while (way.length && way.at(-1)!.depth >= branch.length) way.pop();
      const above = way.at(-1)?.row;
      const place = above ? ++above.children : ++roots;
      const level = way.length + 1;
      const row = { node, level, parent: above?.node.id, hasChildren: false, place, siblings: 0, children: 0 };
      if (above) above.hasChildren = true;
      way.push({ depth: branch.length, row });
      holders.push(above);
      if (rows.push(row) % PIECE === 0) yield;
    }
  }
  for (const [at, row] of rows.entries()) row.siblings = holders[at]?.children ?? roots;
  return rows;
}

/** The rows that are to be seen when these nodes are folded. */
export function unfoldedRows(rows: readonly TreeGridRow[], folded: ReadonlySet<string>): readonly TreeGridRow[] {
  if (folded.size === 0) return rows;
  const hidden = new Set<string>();
  return rows.filter(({ node, parent }) => {
    if (parent === undefined || !hidden.has(parent) && !folded.has(parent)) return true;
    hidden.add(node.id);
    return false;
  });
}
