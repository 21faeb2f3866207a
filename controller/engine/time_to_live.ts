/** The end of a workflow that is over: `ttlStrategy` says how long it is kept. */
import type { Workflow, WorkflowSpec } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";
import { millisOf } from "./time.ts";

/** Asks for the deletion of a finished workflow when its time is over, or comes back then. */
export function endOfLife(pass: Pass): void {
  const { status } = pass.workflow;
  const seconds = secondsToLive(pass.spec.ttlStrategy, status?.phase);
  const finished = millisOf(status?.finishedAt);
  if (seconds === undefined || Number.isNaN(finished)) return;
  const due = finished + seconds * 1000;
  if (pass.now.getTime() >= due) pass.actions.push({ kind: "deleteWorkflow" });
  else pass.comeBackAt(due);
}

/** What is said about the way it ended goes before what is said about any end. */
function secondsToLive(
  ttl: WorkflowSpec["ttlStrategy"],
  phase: NonNullable<Workflow["status"]>["phase"],
): number | undefined {
  const ofEnd = phase === "Succeeded" ? ttl?.secondsAfterSuccess : ttl?.secondsAfterFailure;
  return ofEnd ?? ttl?.secondsAfterCompletion;
}
