/** Phases: of nodes and of workflows, which share their words. */

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

/** Whether a node with this phase never ran, and never will: Skipped or Omitted. */
export function isPassedOver(phase: string | undefined): phase is "Skipped" | "Omitted" {
  return phase === "Skipped" || phase === "Omitted";
}
