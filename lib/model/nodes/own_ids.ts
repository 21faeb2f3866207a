import type { NodeStatus } from "../api/mod.ts";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** Returns the nodes of a status with `id` set to their keys, which an untrusted status may contradict. */
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
