/** The nodes of a workflow as a graph: successors, and one path back to the start. */
import type { NodeStatus } from "../api/mod.ts";

/** Nodes by ID, with one parent for each that has any. */
export interface NodeGraph {
  readonly nodes: ReadonlyMap<string, NodeStatus>;
  parentOf(node: NodeStatus): NodeStatus | undefined;
  childrenOf(node: NodeStatus): NodeStatus[];
  /** Returns all predecessors of some nodes, in time linear in the number of all nodes. */
  ancestorsOf(some: Iterable<NodeStatus>): ReadonlySet<NodeStatus>;
  /** Returns all nodes reachable from a node, itself first, in breadth-first order. */
  inOrderFrom(node: NodeStatus): NodeStatus[];
}

/**
 * Builds the graph. If a node has several parents, the one with the greatest ID counts, so that the path is
 * deterministic.
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
  const ancestorsOf = (some: Iterable<NodeStatus>) => {
    const before = new Map<string, NodeStatus[]>();
    for (const node of nodes.values()) {
      for (const child of node.children ?? []) {
        const others = before.get(child);
        if (others) others.push(node);
        else before.set(child, [node]);
      }
    }
    const found = new Set<NodeStatus>();
    for (const { id } of some) for (const parent of before.get(id) ?? []) found.add(parent);
    for (const { id } of found) for (const parent of before.get(id) ?? []) found.add(parent); // grows while it is walked
    return found;
  };
  return {
    nodes,
    parentOf: (node) => parents.get(node.id),
    childrenOf,
    ancestorsOf,
    inOrderFrom,
  };
}
