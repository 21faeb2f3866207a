/** Texts of the dialogs that stop, delete, resubmit or retry a run. */
import { grouped, plural } from "../en.ts";

// The dialogs that stop, delete or resubmit a run

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
export const resubmitPlan = <Part>(repeated: number, reused: number, strong: (count: string) => Part) => [
  strong(grouped(repeated)),
  ` ${plural(repeated, "node runs", "nodes run")} again, `,
  strong(grouped(reused)),
  ` ${plural(reused, "keeps its outputs", "keep their outputs")}.`,
];
export const keptNodesLabel = "Nodes that keep their outputs";

// The retry dialog and its preview

export const retryHeading = (run: string) => `Retry ${run}`;
export const changedMeanwhile =
  "The run has changed since this preview, so nothing was sent. The preview is now up to date.";
export const rerunSucceededField = (node: string) => `Also run ${node} again, with everything after it`;
export const selectorField = "Succeeded nodes to run again";
export const selectorExample = "templateName=load,displayName!=load(0)";
export const chooseNodes = "The run succeeded: choose nodes to run again.";

/** The totals of a plan. */
export const planSums = <Part>(repeated: number, reused: number, pods: number, strong: (count: string) => Part) => [
  strong(grouped(repeated)),
  ` ${plural(repeated, "node runs", "nodes run")} again, `,
  strong(grouped(reused)),
  ` ${plural(reused, "is kept", "are kept")}`,
  pods > 0 ? `; ${grouped(pods)} ${plural(pods, "pod is", "pods are")} deleted.` : ".",
];
export const nodesLabel = "Nodes that run again";
export const waitsAgain = "waits again";
export const evaluatedAgain = <Part>(count: number, strong: (count: string) => Part) => [
  strong(grouped(count)),
  ` skipped ${plural(count, "node is", "nodes are")} evaluated again.`,
];
/** Loops and step groups that could not be expanded. */
export const expandedAgain = <Part>(count: number, strong: (count: string) => Part) => [
  strong(grouped(count)),
  ` ${
    plural(
      count,
      "loop or step group that could not be expanded is",
      "loops or step groups that could not be expanded are",
    )
  } expanded again.`,
];
export const isExpandedAgain = "is expanded again";
/**
 * The estimated duration of the nodes of a plan, from earlier runs. `unknown` is the number of nodes without an
 * estimate.
 */
export const planTime = (time: string, unknown: number) =>
  `Estimated time: ${time}, from earlier durations of these nodes${
    unknown === 0 ? "" : `, without ${grouped(unknown)} ${plural(unknown, "node", "nodes")} of unknown duration`
  }.`;

// A preview that cannot be computed

export const previewFailed = (reason: unknown) => `The preview failed: ${reason}`;
