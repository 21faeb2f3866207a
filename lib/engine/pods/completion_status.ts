/**
 * Task results of a workflow that Argo's controller started, which records in the workflow's status which are complete.
 */
import { isCompleted } from "@tiphys/model/status";
import type { NodesDraft, Slice } from "../slice.ts";

/**
 * Copies `taskResultsCompletionStatus` to nodes without `taskResultSynced`. A node with an incomplete task result is
 * not completed until the rest arrives or can no longer arrive. Other nodes are unchanged.
 */
export function adoptCompletionStatus(pass: Slice<NodesDraft>): void {
  const completion = pass.facts.before.status?.taskResultsCompletionStatus;
  for (const [id, isComplete] of Object.entries(completion ?? {})) {
    const node = pass.draft.nodes.get(id);
    if (isComplete || node?.type !== "Pod" || node.taskResultSynced !== undefined) continue;
    if (isCompleted(node) || pass.facts.taskResults.has(id)) pass.draft.update(id, { taskResultSynced: false });
  }
}
