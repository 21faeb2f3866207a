import type { NodeStatus } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";

/** The attempts of a Retry node, first to last; hooks among its children are none. */
export function attemptsOf(pass: Pass, retryNode: NodeStatus): NodeStatus[] {
  return (retryNode.children ?? [])
    .map((id) => pass.nodes.get(id))
    .filter((child): child is NodeStatus => child?.nodeFlag?.retried === true);
}

/** The last child of a Retry node that is no hook; undefined for other nodes, and for one answered from a cache. */
export function lastAttempt(pass: Pass, node: NodeStatus): NodeStatus | undefined {
  if (node.type !== "Retry" || node.memoizationStatus?.hit) return undefined;
  return (node.children ?? [])
    .map((id) => pass.nodes.get(id))
    .filter((child) => child !== undefined && !child.nodeFlag?.hooked)
    .at(-1);
}
