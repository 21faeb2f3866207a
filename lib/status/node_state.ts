/** Questions about one node, as Argo's clients answer them: fulfilled is not completed. */
import type { NodeStatus } from "../api/mod.ts";
import { isCompletedPhase, isPassedOver } from "./phase.ts";

/** Whether a node is over, with its report in: nothing more will come from it. */
export function isOver(node: Pick<NodeStatus, "phase" | "taskResultSynced">): boolean {
  return isCompletedPhase(node.phase) && node.taskResultSynced !== false || isPassedOver(node.phase);
}

/** Whether a node is a daemon that is up. */
export function isDaemoned(node: Pick<NodeStatus, "daemoned">): boolean {
  return node.daemoned === true;
}

/** Whether nothing waits for a node any more: it is over, or a daemon that is up. */
export function isFulfilled(node: Pick<NodeStatus, "phase" | "taskResultSynced" | "daemoned">): boolean {
  return isOver(node) || (isDaemoned(node) && node.phase !== "Pending");
}

/** Whether a node ran to an end (a skipped one did not); exit handlers run for these only. */
export function isCompleted(node: Pick<NodeStatus, "phase">): boolean {
  return isCompletedPhase(node.phase);
}

/** Whether a node waits for a person, or for its time. */
export function isActiveSuspend(node: Pick<NodeStatus, "type" | "phase">): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

/** The name of the template that a node runs, be it one of the workflow or of another object; empty for an inline one. */
export function templateNameOf(node: Pick<NodeStatus, "templateRef" | "templateName">): string {
  return node.templateRef?.template ?? node.templateName ?? "";
}
