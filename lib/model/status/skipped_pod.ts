/** Pods that a memoized resubmit does not run again. */
import type { NodeStatus } from "../api/mod.ts";

/** Begins the message of a pod that a memoized resubmit does not run again. */
export const ORIGINAL_POD = "original pod: ";

/** Returns a node as other nodes see it: a pod that a memoized resubmit skipped has succeeded, in the earlier run. */
export function withResultOfOriginalPod(node: NodeStatus): NodeStatus {
  const isRemembered = node.type === "Skipped" && node.phase === "Skipped" && node.message?.startsWith(ORIGINAL_POD);
  return isRemembered ? { ...node, type: "Pod", phase: "Succeeded" } : node;
}
