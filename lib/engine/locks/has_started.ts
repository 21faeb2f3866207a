/** The start of a node, from which it must have its locks. */
import type { NodeStatus } from "@tiphys/model/api";
import { isFulfilled } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";

/** Whether a node has begun: it is fulfilled, or its pod exists. */
export function hasStarted(pass: Slice, node: NodeStatus): boolean {
  if (isFulfilled(node)) return true;
  return node.type === "Pod" && (node.phase !== "Pending" || pass.facts.pods.has(node.id));
}
