/** Texts of the reports: durations, failures, and resource use of runs. */
import { plural } from "../en.ts";

export const heading = "Reports";
/** Downloads the report as comma-separated values. */
export const csvButton = "CSV";
export const labelsLabel = "Labels";
export const labelsPlaceholder = "Labels: team=a, stage=test";
export const whichRuns = (max: number) => `The last ${max} finished runs`;
export const stepsToggle = "Steps";

export const templateField = "Template";
export const allTemplates = "All templates";
export const succeededField = "Succeeded";
export const percent = (value: number) => `${value} %`;
/** The table of days. */
export const daysHeading = "By day";
export const dayColumn = "Day";
export const successOn = (day: string) => `Succeeded on ${day}`;
/** Shown if the bars of some runs end at the scale. */
export const longerThanScale = (runs: number, longest: string) =>
  `${runs} ${plural(runs, "run exceeds", "runs exceed")} the scale; the longest took ${longest}.`;

export const noneYet = "No run has finished yet";
export const about = "A report covers runs that succeeded or failed.";
export const aboutLabelled = `${about} No run has these labels: remove some of them.`;

export const durationsLabel = "Durations";
/** The row of bars, one for each run. */
export const barsLabel = "Durations, the newest on the right";
/** The line through the bars. */
export const meanLine = (duration: string) => `mean ${duration}`;
/** Links from an empty report to the list of runs. */
export const runsLink = "Show the runs";
export const runsField = "Runs";
export const failedField = "Failed";
export const failedShare = (count: number, percent: number) => `${count} (${percent} %)`;
export const meanField = "Mean";
export const medianField = "Median";
export const percentileField = "95th percentile";
/** CPU use, as the time of one CPU. */
export const cpuField = "CPU time";
/** Memory use, as the time of one GiB. */
export const memoryField = "Memory × time (GiB)";
/** A sum that only some of the runs report. */
export const ofSomeRuns = (sum: string, runs: number) => `${sum}, of ${runs} ${plural(runs, "run", "runs")}`;
