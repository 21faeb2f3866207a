/** `continueOn` of steps and tasks. */
import type { ContinueOn, NodePhase } from "@tiphys/model/api";

/** Whether the caller of a step or task continues although it ended in this phase. */
export function continuesOn(holder: { continueOn?: ContinueOn } | undefined, phase: NodePhase | undefined): boolean {
  if (phase === "Failed") return holder?.continueOn?.failed === true;
  if (phase === "Error") return holder?.continueOn?.error === true;
  return false;
}
