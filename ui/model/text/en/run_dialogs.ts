/** Words of the dialogs of a run: before it ends, is deleted or resubmitted. */
import { grouped, plural } from "../en.ts";

export const deleteTitle = (name: string) => `Delete ${name}?`;
export const deleteConsequence =
  "Its pods and logs go with it. The archive has a copy, which stays unless you say otherwise.";
export const alsoArchivedField = "Also delete the copy in the archive";

export const stopTitle = (name: string) => `Stop ${name}?`;
export const terminateTitle = (name: string) => `Terminate ${name}?`;
export const stopButton = "Stop";
export const terminateButton = "Terminate";
export const podsEnd = (pods: number) =>
  pods === 0 ? "No pod is at work." : `${grouped(pods)} ${plural(pods, "pod ends", "pods end")}.`;
export const exitHandlersRun = "Exit handlers still run.";
export const exitHandlersDoNotRun = "Exit handlers do not run.";

export const resubmitTitle = (name: string | undefined) => `Resubmit ${name}`;
export const resubmitButton = "Resubmit";
export const resubmitConsequence = "The same workflow runs again under a new name.";
/** The choice to take over what succeeded. */
export const memoizedField = "Do not run again what succeeded";
export const oldOutputsStay = "What succeeded keeps the outputs that it had with the old parameters.";
export const planning = "Planning …";
/** What the nodes of a resubmitted run do; `strong` marks a count. */
export const resubmitPlan = <Part>(again: number, kept: number, strong: (count: string) => Part) => [
  strong(grouped(again)),
  ` ${plural(again, "node that did work does", "nodes that did work do")} it again, `,
  strong(grouped(kept)),
  ` ${plural(kept, "keeps its outputs", "keep their outputs")}.`,
];
export const keptNodesLabel = "Nodes that keep their outputs";
