/** The phases of nodes and workflows. */

/** The phases of completed nodes and workflows. */
export const COMPLETED_PHASES = ["Succeeded", "Failed", "Error"] as const;

/** The phases of a workflow, in the order in which it can have them. */
export const WORKFLOW_PHASES = ["Pending", "Running", ...COMPLETED_PHASES] as const;

/** Whether a phase is Failed or Error. */
export function isFailure(phase: string | undefined): phase is "Failed" | "Error" {
  return phase === "Failed" || phase === "Error";
}

/**
 * Whether a phase is completed: Succeeded, Failed or Error. A workflow never leaves such a phase on its own; the report
 * of a node in it may still be missing.
 */
export function isCompletedPhase(phase: string | undefined): phase is "Succeeded" | "Failed" | "Error" {
  return phase === "Succeeded" || isFailure(phase);
}

/** Whether a phase is a final result of an agent or plugin: completed or skipped. */
export function isFinalResult(phase: string | undefined): phase is "Succeeded" | "Failed" | "Error" | "Skipped" {
  return isCompletedPhase(phase) || phase === "Skipped";
}

/** Whether a node with this phase never ran and never will: Skipped or Omitted. */
export function isSkippedOrOmitted(phase: string | undefined): phase is "Skipped" | "Omitted" {
  return phase === "Skipped" || phase === "Omitted";
}
