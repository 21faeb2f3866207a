/** Texts of the dialogs that stop, delete or resubmit a run. */
import { grouped, plural } from "../en.ts";

export const deleteTitle = (name: string) => `Delete ${name}?`;
export const deleteConsequence =
  "Its pods and logs are deleted too. The archive keeps a copy unless you delete it as well.";
export const alsoArchivedField = "Also delete the copy in the archive";

export const stopTitle = (name: string) => `Stop ${name}?`;
export const terminateTitle = (name: string) => `Terminate ${name}?`;
export const stopButton = "Stop";
export const terminateButton = "Terminate";
export const podCount = (pods: number) =>
  pods === 0 ? "No pods are running." : `${grouped(pods)} ${plural(pods, "pod ends", "pods end")}.`;
export const exitHandlersRun = "Exit handlers still run.";
export const exitHandlersDoNotRun = "Exit handlers do not run.";

export const resubmitTitle = (name: string | undefined) => `Resubmit ${name}`;
export const resubmitButton = "Resubmit";
export const resubmitConsequence = "The same workflow runs again under a new name.";
/** Reuses the outputs of nodes that succeeded. */
export const memoizedField = "Reuse the results of succeeded nodes";
export const oldOutputsNote = "Succeeded nodes keep the outputs that they produced with the old parameters.";
export const planning = "Planning …";
/** The number of nodes that run again in a resubmitted run; `strong` marks a count. */
export const resubmitPlan = <Part>(again: number, kept: number, strong: (count: string) => Part) => [
  strong(grouped(again)),
  ` ${plural(again, "node runs", "nodes run")} again, `,
  strong(grouped(kept)),
  ` ${plural(kept, "keeps its outputs", "keep their outputs")}.`,
];
export const keptNodesLabel = "Nodes that keep their outputs";
