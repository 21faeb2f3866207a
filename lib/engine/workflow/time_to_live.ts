/** Deletion of completed workflows after the time that `ttlStrategy` sets. */
import type { Workflow, WorkflowSpec } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { millisOf } from "@tiphys/model/status";
import type { RequestsDraft, Slice } from "../slice.ts";

/** Requests deletion of a completed workflow once its TTL has expired, or a pass at that time. */
export function applyTimeToLive(pass: Slice<RequestsDraft>): void {
  const { status } = pass.draft.workflow;
  const seconds = secondsToLive(pass.draft.spec.ttlStrategy, status?.phase);
  const finished = millisOf(status?.finishedAt);
  if (seconds === undefined || Number.isNaN(finished) || !mayBeDeleted(pass.draft.workflow)) return;
  const due = finished + seconds * 1000;
  if (pass.facts.now.getTime() >= due) {
    pass.draft.request({ kind: "deleteWorkflow", propagation: pass.facts.config.deletePropagation ?? "Background" });
  } else pass.requestPassAt(due);
}

/** Whether the workflow may be deleted: it is labeled as completed and not pending to be archived. */
function mayBeDeleted({ metadata: { labels } }: Workflow): boolean {
  return labels?.[LABEL.completed] === "true" && labels[LABEL.archivingStatus] !== "Pending";
}

/**
 * The time to live in seconds; undefined without a limit. The limit for the workflow's phase takes precedence over
 * `secondsAfterCompletion`. The phase Error does not count as a failure.
 */
function secondsToLive(
  ttl: WorkflowSpec["ttlStrategy"],
  phase: NonNullable<Workflow["status"]>["phase"],
): number | undefined {
  const forPhase = { Succeeded: ttl?.secondsAfterSuccess, Failed: ttl?.secondsAfterFailure }[phase as string];
  return forPhase ?? ttl?.secondsAfterCompletion;
}
