/** Texts of the retry dialog and its preview. */
import { grouped, plural } from "../en.ts";

export const heading = (run: string) => `Retry ${run}`;
export const changedMeanwhile =
  "The run has changed since this preview, so nothing was sent. The preview is now up to date.";
export const rerunSucceededField = (node: string) => `Also run ${node} again, with everything after it`;
export const selectorField = "Succeeded nodes to run again";
export const selectorExample = "templateName=load,displayName!=load(0)";
export const chooseNodes = "The run succeeded: choose nodes to run again.";

export const planning = "Planning …";
/** The totals of a plan. */
export const planSums = <Part>(again: number, kept: number, pods: number, strong: (count: string) => Part) => [
  strong(grouped(again)),
  ` ${plural(again, "node runs", "nodes run")} again, `,
  strong(grouped(kept)),
  ` ${plural(kept, "is kept", "are kept")}`,
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
