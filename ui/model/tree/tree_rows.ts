/** The rows of the tree: those of `tiphys get`, with what a treegrid needs to know of each. */
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { workflowTrees } from "../../../lib/status/mod.ts";

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

interface Draft extends Omit<TreeGridRow, "hasChildren" | "siblings"> {
  children: number;
}

/** All rows, in the order in which the tree is read. */
export function treeRows(workflow: Workflow): TreeGridRow[] {
  const drafts: Draft[] = [];
  const parents = new Map<string | undefined, Draft>();
  let roots = 0;
  for (const tree of workflowTrees(workflow)) {
    const way: { readonly depth: number; readonly draft: Draft }[] = [];
    for (const { branch, node } of tree) {
      while (way.length && way.at(-1)!.depth >= branch.length) way.pop();
      const above = way.at(-1)?.draft;
      const place = above ? ++above.children : ++roots;
      const draft: Draft = { node, level: way.length + 1, parent: above?.node.id, place, children: 0 };
      way.push({ depth: branch.length, draft });
      parents.set(node.id, draft);
      drafts.push(draft);
    }
  }
  return drafts.map(({ children, ...row }) => ({
    ...row,
    hasChildren: children > 0,
    siblings: row.parent === undefined ? roots : parents.get(row.parent)!.children,
  }));
}

/** The rows that are to be seen when these nodes are folded. */
export function unfoldedRows(rows: readonly TreeGridRow[], folded: ReadonlySet<string>): TreeGridRow[] {
  const hidden = new Set<string>();
  return rows.filter(({ node, parent }) => {
    if (parent === undefined || !hidden.has(parent) && !folded.has(parent)) return true;
    hidden.add(node.id);
    return false;
  });
}
