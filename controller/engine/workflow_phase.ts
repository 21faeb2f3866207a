/** The phase of the workflow, with the labels that follow it (features S-01, S-60, K-44). */
import type { WorkflowPhase } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { setCondition } from "./conditions.ts";
import { endDaemons } from "./daemons.ts";
import type { Pass } from "./pass.ts";
import { addDurations } from "./resources_duration.ts";
import { formatTime } from "./time.ts";

/** A phase that a workflow does not leave. */
export function isFinal(phase: WorkflowPhase | "" | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed" || phase === "Error";
}

/**
 * Gives the workflow a phase. It does not end while reports are still to come or daemons are up: then the phase stays
 * and false is returned.
 */
export function markWorkflow(pass: Pass, phase: WorkflowPhase, message: string): boolean {
  if (isFinal(phase) && !mayEnd(pass)) {
    endDaemons(pass, undefined);
    return false;
  }
  const before = pass.workflow.status?.phase;
  const now = formatTime(pass.now);
  if (before !== phase) {
    pass.setLabels({ [LABEL.phase]: phase, [LABEL.completed]: isFinal(phase) ? "true" : "false" });
    announce(pass, phase, message);
  }
  pass.setStatus({
    phase,
    message: message || undefined,
    ...(!pass.workflow.status?.startedAt && phase !== "Pending" ? { startedAt: now } : {}),
  });
  if (phase === "Error") {
    const entry = pass.nodes.get(pass.name);
    if (entry?.phase === "Running") pass.mark(entry.id, "Error", "Workflow operation error");
  }
  if (!isFinal(phase)) return true;
  pass.setStatus({
    finishedAt: now,
    resourcesDuration: addDurations(
      [...pass.nodes.all()].map((node) => node.type === "Pod" ? node.resourcesDuration : undefined),
    ),
  });
  setCondition(pass, "Completed", "True");
  return true;
}

function mayEnd(pass: Pass): boolean {
  for (const node of pass.nodes.all()) {
    if (node.taskResultSynced === false || node.daemoned) return false;
  }
  return true;
}

function announce(pass: Pass, phase: WorkflowPhase, message: string): void {
  if (phase === "Running") {
    pass.actions.push({ kind: "event", type: "Normal", reason: "WorkflowRunning", message: "Workflow Running" });
  } else if (phase === "Succeeded") {
    pass.actions.push({ kind: "event", type: "Normal", reason: "WorkflowSucceeded", message: "Workflow completed" });
  } else if (isFinal(phase)) {
    pass.actions.push({ kind: "event", type: "Warning", reason: "WorkflowFailed", message });
  }
}
