/** Questions about one node, as Argo's clients answer them (fulfilled is not completed: features H-03). */
import type { NodePhase, NodeStatus } from "../../lib/api/mod.ts";

/** Failed or Error. */
export function isFailure(phase: NodePhase | undefined): boolean {
  return phase === "Failed" || phase === "Error";
}

/** Ran to an end: Succeeded, Failed or Error. */
export function isCompletedPhase(phase: NodePhase | undefined): boolean {
  return phase === "Succeeded" || isFailure(phase);
}

/** Over, with its report in: nothing more will come from this node. */
export function isOver(node: Pick<NodeStatus, "phase" | "taskResultSynced">): boolean {
  return isCompletedPhase(node.phase) && node.taskResultSynced !== false ||
    node.phase === "Skipped" || node.phase === "Omitted";
}

/** A daemon that is up. */
export function isDaemoned(node: Pick<NodeStatus, "daemoned">): boolean {
  return node.daemoned === true;
}

/** Nothing waits for this node any more: it is over, or a daemon that is up. */
export function isFulfilled(node: Pick<NodeStatus, "phase" | "taskResultSynced" | "daemoned">): boolean {
  return isOver(node) || (isDaemoned(node) && node.phase !== "Pending");
}

/** Ran to an end (a skipped node did not); exit handlers run for these only. */
export function isCompleted(node: Pick<NodeStatus, "phase">): boolean {
  return isCompletedPhase(node.phase);
}

/** A suspend node that waits to be resumed. */
export function isActiveSuspend(node: Pick<NodeStatus, "type" | "phase">): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}
