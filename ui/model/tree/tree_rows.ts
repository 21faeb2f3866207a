/** The rows of the tree: those of `tiphys get`, with the properties of a treegrid. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { workflowTreesInPieces } from "@tiphys/model/status/tree";

/** One row: a node with its depth and its parent row. */
export interface TreeGridRow {
  readonly node: NodeStatus;
  /** The depth, from 1. */
  readonly level: number;
  /** The ID of the parent row's node; undefined for a root. */
  readonly parent: string | undefined;
  readonly hasChildren: boolean;
  /** Its position among its siblings, from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
}

type Draft = { -readonly [K in keyof TreeGridRow]: TreeGridRow[K] } & { children: number };

/** The maximum number of rows that are created before yielding. */
const PIECE = 1_000;

/** Yields all rows in reading order. Each `yield` is a pause for other work, because there may be tens of thousands. */
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
  for (const [index, row] of rows.entries()) row.siblings = holders[index]?.children ?? roots;
  return rows;
}

/** Returns the rows that are visible when these nodes are folded. */
export function visibleRows(rows: readonly TreeGridRow[], folded: ReadonlySet<string>): readonly TreeGridRow[] {
  if (folded.size === 0) return rows;
  const hidden = new Set<string>();
  return rows.filter(({ node, parent }) => {
    if (parent === undefined || !hidden.has(parent) && !folded.has(parent)) return true;
    hidden.add(node.id);
    return false;
  });
}
