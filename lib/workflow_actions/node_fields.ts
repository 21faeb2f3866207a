/** What is said of nodes in more than one place. */
import type { NodeStatus } from "../api/mod.ts";

/** The template that a node runs, whether it is of the workflow or of another one. */
export function templateOfNode(node: NodeStatus): string {
  return node.templateRef?.template ?? node.templateName ?? "";
}

/** Whether a node waits for a person, or for its time. */
export function isActiveSuspendNode(node: NodeStatus): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

/** Whether a node came to a bad end. */
export function isFailedNode(node: NodeStatus): boolean {
  return node.phase === "Failed" || node.phase === "Error";
}
