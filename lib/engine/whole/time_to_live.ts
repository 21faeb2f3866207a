/** The end of a workflow that is over: `ttlStrategy` says how long it is kept. */
import type { Workflow, WorkflowSpec } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { millisOf } from "@tiphys/model/status";
import type { RequestsDraft, Slice } from "../slice.ts";

/** Asks for the deletion of a finished workflow when its time is over, or comes back then. */
export function endOfLife(pass: Slice<RequestsDraft>): void {
  const { status } = pass.draft.workflow;
  const seconds = secondsToLive(pass.draft.spec.ttlStrategy, status?.phase);
  const finished = millisOf(status?.finishedAt);
  if (seconds === undefined || Number.isNaN(finished) || !isDone(pass.draft.workflow)) return;
  const due = finished + seconds * 1000;
  if (pass.facts.now.getTime() >= due) {
    pass.draft.ask({ kind: "deleteWorkflow", propagation: pass.facts.config.deletePropagation ?? "Background" });
  } else pass.comeBackAt(due);
}

/** Whether the workflow may be deleted: it is marked as completed, and does not wait to be archived. */
function isDone({ metadata: { labels } }: Workflow): boolean {
  return labels?.[LABEL.completed] === "true" && labels[LABEL.archivingStatus] !== "Pending";
}

/**
 * The seconds for which a workflow is kept; undefined for no limit. A limit for the way it ended goes before the one
 * for any end, and an error does not count as a failure.
 */
function secondsToLive(
  ttl: WorkflowSpec["ttlStrategy"],
  phase: NonNullable<Workflow["status"]>["phase"],
): number | undefined {
  const ofEnd = { Succeeded: ttl?.secondsAfterSuccess, Failed: ttl?.secondsAfterFailure }[phase as string];
  return ofEnd ?? ttl?.secondsAfterCompletion;
}
