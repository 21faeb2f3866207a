/** Texts of the grid of steps over runs. */
import { plural } from "../en.ts";

// The grid of steps over runs

export const gridLabel = "Steps over the last runs, the newest on the right. Arrow keys move.";
export const stepColumn = "Step";
/** The median duration of a step. */
export const usuallyColumn = "Median";
export const longestColumn = "Longest";
export const failedColumn = "Failed";
export const flakyColumn = "Flaky";
export const runAbout = (run: string, phase: string, duration: string) => `${run}, ${phase}, ${duration}`;
export const cellAbout = (step: string, run: string, state: string) => `${step} in ${run}: ${state}`;
/** The row of the whole run. */
export const runItself = "the whole run";
export const itemCount = (count: number) => `${count} items`;
export const attemptCount = (count: number) => `${count} attempts`;
export const passedAfterRetry = "passed after a retry";

// The grid of steps of several runs

export const stepsLabel = "Steps";
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
