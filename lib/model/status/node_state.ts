/** States of one node, as Argo's clients compute them: fulfilled differs from completed. */
import type { NodeStatus } from "../api/mod.ts";
import { isCompletedPhase, isSkippedOrOmitted } from "./phase.ts";

/** Whether a node has ended and its report has arrived, so that it no longer changes. */
export function isOver(node: Pick<NodeStatus, "phase" | "taskResultSynced">): boolean {
  return isCompletedPhase(node.phase) && node.taskResultSynced !== false || isSkippedOrOmitted(node.phase);
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

/** Whether a node waits for a user, or for a time. */
export function isActiveSuspend(node: Pick<NodeStatus, "type" | "phase">): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

/** Returns the name of the template that a node runs, in the workflow or another object; empty for an inline one. */
export function templateNameOf(node: Pick<NodeStatus, "templateRef" | "templateName">): string {
  return node.templateRef?.template ?? node.templateName ?? "";
}
