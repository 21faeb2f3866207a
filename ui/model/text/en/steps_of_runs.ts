/** Texts of the grid of steps of several runs. */
import { plural } from "../en.ts";

export const label = "Steps";
export const orderLabel = "Order of steps";
export const runOrder = "In run order";
export const slowestOrder = "Slowest first";
export const flakyOrder = "Flaky first";
export const reading = "Reading the runs …";
export const readingOf = (read: number, all: number) => `Reading the runs, ${read} of ${all} …`;
export const noneYet = "There are no runs with steps yet. They appear here when the first run has started.";
/** Describes the grid, with the number of runs that were too large and of runs deleted in the meantime. */
export const aboutGrid = (runs: number, large: number, gone: number) =>
  [
    `The last ${plural(runs, "run", `${runs} runs`)}. Flaky: failed, then passed when retried.`,
    ...large > 0 ? [`${large} with thousands of pods ${plural(large, "is", "are")} not shown.`] : [],
    ...gone > 0 ? [`${gone} ${plural(gone, "was", "were")} deleted.`] : [],
  ].join(" ");
