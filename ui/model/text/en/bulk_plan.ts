/** Words of the plan of a retry of many runs. */
import { grouped, plural } from "../en.ts";

export const planning = "Planning …";
/** Stands behind the sum of the plans that were made. */
export const onlyFirstPlanned = (count: number) => `That is what the first ${count} do; the others were not looked at.`;
export const plansLabel = "Plans of the runs";

/** What the nodes of a run do, and how many pods go. */
export const planCounts = (again: number, kept: number, pods: number) =>
  `${grouped(again)} ${plural(again, "node runs", "nodes run")} again, ${grouped(kept)} ${
    plural(kept, "stays as it is", "stay as they are")
  }${pods === 0 ? "" : `; ${grouped(pods)} ${plural(pods, "pod is", "pods are")} deleted`}.`;
export const takesAbout = (time: string) => `It takes about ${time}.`;
