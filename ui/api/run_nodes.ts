/** The nodes of a run as a list that is made once: of tens of thousands it takes longer than a frame. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

const lists = new WeakMap<object, readonly NodeStatus[]>();
const NONE: readonly NodeStatus[] = [];

/** Keeps the list of nodes for as long as the nodes are: who reads them one by one has it. */
export function keepNodeList(nodes: object, list: readonly NodeStatus[]): void {
  lists.set(nodes, list);
}

/** The nodes of a run, in the order in which its status holds them. */
export function nodeListOf({ status }: Workflow): readonly NodeStatus[] {
  const nodes = status?.nodes;
  if (!nodes) return NONE;
  let list = lists.get(nodes);
  if (!list) lists.set(nodes, list = Object.values(nodes));
  return list;
}
