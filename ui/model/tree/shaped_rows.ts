/** The rows of nodes that match the filters of a run's parts, with their parent rows. Pure. */
import type { NodeStatus } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { keyOfNode } from "../graph/find.ts";
import { type GraphShape, isFiltered } from "../graph/graph_shape.ts";
import type { Part } from "../graph/part.ts";
import { matchingKeys } from "../graph/shape.ts";
import type { TreeGridRow } from "./tree_rows.ts";

/** Returns the rows whose parts a graph with the same filters would show; attempts follow their retried node. */
export function filterRows(rows: readonly TreeGridRow[], whole: Part, shape: GraphShape): readonly TreeGridRow[] {
  if (!isFiltered(shape)) return rows;
  const keys = matchingKeys(whole, shape);
  return withAncestors(rows, (node) => keys.has(keyOfNode(node)));
}

/** Returns the rows of failed nodes. */
export function failedRows(rows: readonly TreeGridRow[]): readonly TreeGridRow[] {
  return withAncestors(rows, ({ phase }) => isFailure(phase));
}

function withAncestors(rows: readonly TreeGridRow[], isMatch: (node: NodeStatus) => boolean): readonly TreeGridRow[] {
  const parents = new Map(rows.map(({ node, parent }) => [node.id, parent]));
  const wanted = new Set<string>();
  for (const { node } of rows) {
    if (!isMatch(node)) continue;
    for (let id: string | undefined = node.id; id !== undefined && !wanted.has(id); id = parents.get(id)) {
      wanted.add(id);
    }
  }
  return rows.filter(({ node }) => wanted.has(node.id));
}
