/** Reports of a workflow that another controller began: Argo's notes in the workflow's status which of them are whole. */
import { isCompleted } from "@tiphys/model/status";
import type { NodesDraft, Slice } from "../slice.ts";

/**
 * Takes what the status says of reports into the nodes: one whose report is said to lack something is not over before that
 * came, or can come no more. A node that says so itself, and one that is not named, is left as it is.
 */
export function adoptReports(pass: Slice<NodesDraft>): void {
  const completion = pass.facts.before.status?.taskResultsCompletionStatus;
  for (const [id, isWhole] of Object.entries(completion ?? {})) {
    const node = pass.draft.nodes.get(id);
    if (isWhole || node?.type !== "Pod" || node.taskResultSynced !== undefined) continue;
    if (isCompleted(node) || pass.facts.taskResults.has(id)) pass.draft.update(id, { taskResultSynced: false });
  }
}
