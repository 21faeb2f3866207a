/**
 * The nodes of a run as a cached list, because creating it for tens of thousands of nodes takes longer than a frame.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

const lists = new WeakMap<object, readonly NodeStatus[]>();
const NONE: readonly NodeStatus[] = [];

/** Caches the list of nodes for the lifetime of `nodes`. */
export function keepNodeList(nodes: object, list: readonly NodeStatus[]): void {
  lists.set(nodes, list);
}

/** Returns the nodes of a run in the order of its status. */
export function nodeListOf({ status }: Workflow): readonly NodeStatus[] {
  const nodes = status?.nodes;
  if (!nodes) return NONE;
  let list = lists.get(nodes);
  if (!list) lists.set(nodes, list = Object.values(nodes));
  return list;
}
