/** States of one node, as Argo's clients compute them: fulfilled differs from completed. */
import type { NodeStatus } from "../api/mod.ts";
import { isCompletedPhase, isPassedOver } from "./phase.ts";

/** Whether a node has ended and its report has arrived, so that it no longer changes. */
export function isOver(node: Pick<NodeStatus, "phase" | "taskResultSynced">): boolean {
  return isCompletedPhase(node.phase) && node.taskResultSynced !== false || isPassedOver(node.phase);
}

/** Whether a node is a running daemon. */
export function isDaemoned(node: Pick<NodeStatus, "daemoned">): boolean {
  return node.daemoned === true;
}

/** Whether nothing waits for a node: it has ended, or is a running daemon. */
export function isFulfilled(node: Pick<NodeStatus, "phase" | "taskResultSynced" | "daemoned">): boolean {
  return isOver(node) || (isDaemoned(node) && node.phase !== "Pending");
}

/** Whether a node ran to its end, unlike a skipped one. Exit handlers run only for these. */
export function isCompleted(node: Pick<NodeStatus, "phase">): boolean {
  return isCompletedPhase(node.phase);
}

/** Begins the message of a pod that a memoized resubmit does not run again. */
export const ORIGINAL_POD = "original pod: ";

/** Returns a node as other nodes see it: a pod that a memoized resubmit skipped has succeeded, in the earlier run. */
export function asSeenByOthers(node: NodeStatus): NodeStatus {
  const isRemembered = node.type === "Skipped" && node.phase === "Skipped" && node.message?.startsWith(ORIGINAL_POD);
  return isRemembered ? { ...node, type: "Pod", phase: "Succeeded" } : node;
}

/** Whether a node waits for a user, or for a time. */
export function isActiveSuspend(node: Pick<NodeStatus, "type" | "phase">): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

/** Returns the name of the template that a node runs, in the workflow or another object; empty for an inline one. */
export function templateNameOf(node: Pick<NodeStatus, "templateRef" | "templateName">): string {
  return node.templateRef?.template ?? node.templateName ?? "";
}
