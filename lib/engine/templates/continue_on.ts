/** `continueOn`: whether a step or task lets the others go on although it ended in this phase. */
import type { ContinueOn, NodePhase } from "@tiphys/model/api";

/** Whether a step or task lets the others go on although it ended in this phase. */
export function continuesOn(holder: { continueOn?: ContinueOn } | undefined, phase: NodePhase | undefined): boolean {
  if (phase === "Failed") return holder?.continueOn?.failed === true;
  if (phase === "Error") return holder?.continueOn?.error === true;
  return false;
}
