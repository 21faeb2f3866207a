/** Words of the grid of the steps of some runs. */

export const label = "Steps";
export const orderLabel = "Order of steps";
export const runOrder = "As they run";
export const slowestOrder = "Slowest first";
export const flakyOrder = "Flaky first";
export const reading = "Reading the runs …";
export const readingOf = (read: number, all: number) => `Reading the runs, ${read} of ${all} …`;
export const noneYet = "No run with steps is there yet.";
/** What the grid shows, with the runs that were too large and those that were deleted meanwhile. */
export const aboutGrid = (runs: number, large: number, gone: number) =>
  [
    `The last ${runs} runs. Flaky: failed, tried again, and passed.`,
    ...large > 0 ? [`${large} of thousands of pods are left out.`] : [],
    ...gone > 0 ? [`${gone} are gone by now.`] : [],
  ].join(" ");
