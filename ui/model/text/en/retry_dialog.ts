/** Words of the dialog of a retry, and of its plan. */
import { grouped, plural } from "../en.ts";

export const heading = (run: string) => `Retry ${run}`;
export const changedMeanwhile =
  "The run changed after the plan was made, and nothing was sent. This is the plan for it now.";
export const alsoAgain = (node: string) => `Also run ${node} again, with all that came after it`;
export const selectorField = "Nodes that run again though they succeeded";
export const selectorExample = "templateName=load,displayName!=load(0)";
export const sayWhichNodes = "It succeeded: say which nodes run again.";

export const planning = "Planning …";
/** The sums of a plan. */
export const planSums = <Part>(again: number, kept: number, pods: number, strong: (count: string) => Part) => [
  strong(grouped(again)),
  ` ${plural(again, "node runs", "nodes run")} again, `,
  strong(grouped(kept)),
  ` ${plural(kept, "stays as it is", "stay as they are")}`,
  pods > 0 ? `; ${grouped(pods)} ${plural(pods, "pod is", "pods are")} deleted.` : ".",
];
export const nodesLabel = "Nodes that run again";
export const waitsAgain = "waits again";
export const decidedAnew = <Part>(count: number, strong: (count: string) => Part) => [
  strong(grouped(count)),
  ` that ${plural(count, "was left out is", "were left out are")} decided anew.`,
];
/** Loops and groups that could not be made. */
export const madeAnew = <Part>(count: number, strong: (count: string) => Part) => [
  strong(grouped(count)),
  ` ${
    plural(
      count,
      "loop or group of steps that could not be made is",
      "loops or groups of steps that could not be made are",
    )
  } made anew.`,
];
export const isMadeAnew = "is made anew";
/** How long the nodes of a plan take, going by what they took before; `unknown` of them come on top. */
export const planTime = (time: string, unknown: number) =>
  `It takes about ${time}, going by what these nodes took before${
    unknown === 0 ? "" : `, and as long as ${grouped(unknown)} ${plural(unknown, "other takes", "others take")}`
  }.`;
