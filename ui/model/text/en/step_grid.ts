/** Texts of the grid of steps over runs. */

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
