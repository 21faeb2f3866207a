/** Words of the reports: how long runs took, how many failed, and what they used. */
import { plural } from "../en.ts";

export const heading = "Reports";
/** Hands the report out as values with commas. */
export const csvButton = "CSV";
export const labelsLabel = "Labels";
export const labelsPlaceholder = "Labels: team=a, stage=test";
export const whichRuns = (most: number) => `The last ${most} runs that are over`;
export const stepsToggle = "Steps";

export const noneYet = "No run has finished yet";
export const about = "A report is made of runs that succeeded or failed.";
export const aboutLabelled = `${about} None of them has these labels: try without.`;

export const durationsLabel = "Durations";
/** The row of bars, one for each run. */
export const barsLabel = "Durations, the newest on the right";
/** The line through the bars. */
export const meanLine = (duration: string) => `mean ${duration}`;
/** Leads from a report that has nothing to the runs that are there. */
export const runsLink = "Show the runs";
export const runsField = "Runs";
export const failedField = "Failed";
export const failedShare = (count: number, percent: number) => `${count} (${percent} %)`;
export const meanField = "Mean";
export const medianField = "Median";
export const percentileField = "95 of 100 within";
/** What was used: one processor for so long. */
export const cpuField = "CPU time";
/** What was used: one GiB for so long. */
export const memoryField = "Memory × time (GiB)";
/** A sum that not all runs tell. */
export const ofSomeRuns = (sum: string, runs: number) => `${sum}, of ${runs} ${plural(runs, "run", "runs")}`;
