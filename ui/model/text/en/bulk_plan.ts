/** Texts of the preview of a retry of several runs. */
import { grouped, plural } from "../en.ts";

export const planning = "Planning …";
/** Follows the totals of the plans that were computed. */
export const onlyFirstPlanned = (count: number) => `The numbers cover the first ${count} runs only.`;
export const plansLabel = "Plans of the runs";

/** The numbers of nodes that run again and of nodes that are kept, and the number of pods that are deleted. */
export const planCounts = (repeated: number, reused: number, pods: number) =>
  `${grouped(repeated)} ${plural(repeated, "node runs", "nodes run")} again, ${grouped(reused)} ${
    plural(reused, "is kept", "are kept")
  }${pods === 0 ? "" : `; ${grouped(pods)} ${plural(pods, "pod is", "pods are")} deleted`}.`;
export const takesAbout = (time: string) => `It takes about ${time}.`;
