/** The phase of the workflow, with the labels that follow it. */
import type { WorkflowPhase } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { matchesLabelSelector } from "@tiphys/kube/selectors";
import { isCompletedPhase, timeText } from "@tiphys/model/status";
import { setCondition } from "./conditions.ts";
import { endDaemons } from "../templates/daemons.ts";
import { endNodesOfWorkflow } from "../templates/end_unfinished_nodes.ts";
import { mergeSpecs } from "../spec/effective_spec.ts";
import type { Draft } from "../draft.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/**
 * Sets the phase of the workflow. A workflow does not end while task results are outstanding or daemons are running:
 * then its phase is unchanged.
 * @returns whether the phase was set.
 */
export function markWorkflow(pass: Slice<Draft>, phase: WorkflowPhase, message: string): boolean {
  if (isCompletedPhase(phase) && (!endNodesOfWorkflow(pass) || !mayEnd(pass))) {
    endDaemons(pass, undefined);
    return false;
  }
  const before = pass.draft.workflow.status?.phase;
  const now = timeText(pass.facts.now);
  if (before !== phase) {
    pass.draft.setLabels({ [LABEL.phase]: phase, [LABEL.completed]: isCompletedPhase(phase) ? "true" : "false" });
    if (isCompletedPhase(phase) && mustBeArchived(pass)) pass.draft.setLabels({ [LABEL.archivingStatus]: "Pending" });
    emitPhaseEvent(pass, phase, message);
  }
  pass.draft.setStatus({
    phase,
    message: message || undefined,
    ...(!pass.draft.workflow.status?.startedAt && phase !== "Pending" ? { startedAt: now } : {}),
  });
  if (phase === "Error") {
    const entry = pass.draft.nodes.get(pass.name);
    if (entry?.phase === "Running") pass.draft.mark(entry.id, "Error", message || "Workflow operation error");
  }
  if (!isCompletedPhase(phase)) return true;
  copyCompletionDefaults(pass);
  pass.draft.setStatus({ finishedAt: now });
  setCondition(pass, "Completed", "True");
  return true;
}

/** The fields of a spec that matter after the end of a workflow. */
const COMPLETION_FIELDS = ["artifactGC", "podGC", "ttlStrategy", "volumeClaimGC"] as const;

/**
 * Copies the controller's defaults for the time after the end into the workflow's spec, so that later changes of the
 * defaults do not affect it. A workflow that refers to a template has its whole spec stored already.
 */
function copyCompletionDefaults(pass: Slice<StatusDraft>): void {
  const defaults = pass.facts.config.workflowDefaults?.spec;
  if (!defaults || pass.draft.workflow.status?.storedWorkflowTemplateSpec) return;
  const merged = mergeSpecs(pass.draft.workflow.spec, undefined, defaults);
  const fieldNames = COMPLETION_FIELDS.filter((field) => defaults[field] !== undefined);
  if (fieldNames.length === 0) return;
  const fields = Object.fromEntries(fieldNames.map((field) => [field, merged[field]]));
  pass.draft.setOwnSpec(fields);
}

/** Whether the workflow is to be archived, determined by its labels at its end. */
function mustBeArchived(pass: Slice): boolean {
  const { archived } = pass.facts.config;
  return archived !== undefined && matchesLabelSelector(archived, pass.draft.workflow.metadata.labels);
}

function mayEnd(pass: Slice): boolean {
  for (const node of pass.draft.nodes.all()) {
    if (node.taskResultSynced === false || node.daemoned) return false;
  }
  return true;
}

function emitPhaseEvent(pass: Slice<RequestsDraft>, phase: WorkflowPhase, message: string): void {
  if (pass.facts.config.workflowEvents === false) return;
  if (phase === "Running") {
    pass.draft.request({ kind: "event", type: "Normal", reason: "WorkflowRunning", message: "Workflow Running" });
  } else if (phase === "Succeeded") {
    pass.draft.request({ kind: "event", type: "Normal", reason: "WorkflowSucceeded", message: "Workflow completed" });
  } else if (isCompletedPhase(phase)) {
    pass.draft.request({ kind: "event", type: "Warning", reason: "WorkflowFailed", message });
  }
}
