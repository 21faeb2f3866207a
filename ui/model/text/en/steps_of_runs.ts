/** Words of the grid of the steps of some runs. */
import { plural } from "../en.ts";

export const label = "Steps";
export const orderLabel = "Order of steps";
export const runOrder = "As they run";
export const slowestOrder = "Slowest first";
export const flakyOrder = "Flaky first";
export const reading = "Reading the runs …";
export const readingOf = (read: number, all: number) => `Reading the runs, ${read} of ${all} …`;
export const noneYet = "There are no runs with steps yet.";
/** What the grid shows, with the runs that were too large and those that were deleted meanwhile. */
export const aboutGrid = (runs: number, large: number, gone: number) =>
  [
    `The last ${plural(runs, "run", `${runs} runs`)}. Flaky: failed, tried again, and passed.`,
    ...large > 0 ? [`${large} of thousands of pods ${plural(large, "is", "are")} left out.`] : [],
    ...gone > 0 ? [`${gone} ${plural(gone, "is", "are")} gone by now.`] : [],
  ].join(" ");
