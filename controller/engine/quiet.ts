/** Nodes for which a pass can do nothing: most of a large workflow, most of the time. */
import type { NodeStatus, Template } from "../../lib/api/mod.ts";
import { isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";

/**
 * Whether executing a node again would leave it as it is: it is over, its pod runs and only the pod can change it, or it
 * waits for room for its pod.
 */
export function isQuiet(pass: Pass, node: NodeStatus): boolean {
  if (isOver(node)) return true;
  if (node.type !== "Pod") return false;
  if (pass.hasPod(node.id)) return pass.memory.quiet.has(node.id);
  return node.phase === "Pending" && !pass.hasRoom && !pass.observed.refusals.has(node.id);
}

/** Remembers that only its pod can change a node. */
export function noteQuiet(pass: Pass, node: NodeStatus, template: Template): void {
  if (node.type === "Pod" && pass.hasPod(node.id) && !needsLooks(template)) pass.memory.quiet.add(node.id);
}

/** Whether something beside the pod moves the node: time, locks, attempts. */
function needsLooks(template: Template): boolean {
  const { timeout, pendingTimeout, synchronization, retryStrategy, memoize, daemon, containerSet } = template;
  return [timeout, pendingTimeout, synchronization, retryStrategy, memoize, daemon, containerSet].some(Boolean);
}
