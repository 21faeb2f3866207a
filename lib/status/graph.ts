/** The nodes of a workflow as a graph: who comes after whom, and one way back to the start. */
import type { NodeStatus } from "../api/mod.ts";

/** Nodes by id, with a parent for each that has one. */
export interface NodeGraph {
  readonly nodes: ReadonlyMap<string, NodeStatus>;
  parentOf(node: NodeStatus): NodeStatus | undefined;
  childrenOf(node: NodeStatus): NodeStatus[];
  /** Everything that follows a node, not itself. */
  descendantsOf(node: NodeStatus): NodeStatus[];
  /** Everything that can be reached from a node, itself first, nearer ones before farther ones. */
  inOrderFrom(node: NodeStatus): NodeStatus[];
}

/**
 * Reads the graph. A node may follow several; the one with the greatest id counts as its parent, so that the same
 * workflow has the same way back every time.
 */
export function nodeGraph(all: Readonly<Record<string, NodeStatus>>): NodeGraph {
  const nodes = new Map(Object.entries(all));
  const parents = new Map<string, NodeStatus>();
  for (const id of [...nodes.keys()].sort()) {
    for (const child of nodes.get(id)!.children ?? []) parents.set(child, nodes.get(id)!);
  }
  const childrenOf = (node: NodeStatus) => (node.children ?? []).flatMap((id) => nodes.get(id) ?? []);
  const inOrderFrom = (start: NodeStatus) => {
    const found = new Set([start]);
    for (const node of found) for (const child of childrenOf(node)) found.add(child); // grows while it is walked
    return [...found];
  };
  return {
    nodes,
    parentOf: (node) => parents.get(node.id),
    childrenOf,
    descendantsOf: (node) => inOrderFrom(node).slice(1),
    inOrderFrom,
  };
}
