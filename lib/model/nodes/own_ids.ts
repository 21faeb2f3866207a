import type { NodeStatus } from "../api/mod.ts";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** The nodes of a status, each with the ID under which it is kept: whoever wrote a status may have given it another one. */
export function withOwnIds(nodes: Nodes): Nodes {
  for (const id in nodes) {
    if (nodes[id]?.id !== id) {
      return Object.fromEntries(
        Object.entries(nodes).map(([id, node]) => [id, node.id === id ? node : { ...node, id }]),
      );
    }
  }
  return nodes;
}
