/** Phases: of nodes and of workflows, which share their words. */

/** The phases of what ran to an end. */
export const COMPLETED_PHASES = ["Succeeded", "Failed", "Error"] as const;

/** The phases of a workflow, in the order in which it may have them. */
export const WORKFLOW_PHASES = ["Pending", "Running", ...COMPLETED_PHASES] as const;

/** Whether a phase is that of a bad end: Failed or Error. */
export function isFailure(phase: string | undefined): phase is "Failed" | "Error" {
  return phase === "Failed" || phase === "Error";
}

/**
 * Whether what has this phase ran to an end: Succeeded, Failed or Error. A workflow never leaves such a phase by itself; a
 * node in it may still owe its report.
 */
export function isCompletedPhase(phase: string | undefined): phase is "Succeeded" | "Failed" | "Error" {
  return phase === "Succeeded" || isFailure(phase);
}

/** Whether a node whose result comes from an agent or a plugin is done with this phase: it ran to an end, or was left out. */
export function isFinalResult(phase: string | undefined): phase is "Succeeded" | "Failed" | "Error" | "Skipped" {
  return isCompletedPhase(phase) || phase === "Skipped";
}

/** Whether a node with this phase never ran, and never will: Skipped or Omitted. */
export function isPassedOver(phase: string | undefined): phase is "Skipped" | "Omitted" {
  return phase === "Skipped" || phase === "Omitted";
}
