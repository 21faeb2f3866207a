/** States of a whole workflow. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { isActiveSuspend } from "./node_state.ts";
import { isCompletedPhase } from "./phase.ts";
import { hasRole } from "./node_role.ts";

/** Whether a workflow has finished: its phase is final, and the controller has recorded the end time. */
export function hasFinished({ status }: Workflow): boolean {
  return !!status?.finishedAt && isCompletedPhase(status.phase);
}

/** Returns the nodes of a workflow, in the order of its status. */
export function nodesOf({ status }: Workflow): NodeStatus[] {
  return Object.values(status?.nodes ?? {});
}

/** Whether nothing runs in a running workflow, and one of its nodes waits for a user, or for a time. */
export function isOnlyWaiting({ status }: Pick<Workflow, "status">): boolean {
  if (status?.phase !== "Running") return false;
  let isWaiting = false;
  for (const node of Object.values(status.nodes ?? {})) {
    if (node.phase === "Running" && hasRole(node, "pod", "agent")) return false;
    isWaiting ||= isActiveSuspend(node);
  }
  return isWaiting;
}

/** Whether a workflow waits for a user, or for a time: as a whole, or in one of its nodes. */
export function isSuspended(workflow: Workflow): boolean {
  return workflow.spec.suspend === true || nodesOf(workflow).some(isActiveSuspend);
}
