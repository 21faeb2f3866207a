/** Texts of actions on the selected runs: confirmations, progress, and results. */
import { grouped, listed, plural } from "../en.ts";

const runsText = (count: number) => `${grouped(count)} ${plural(count, "run", "runs")}`;

/** Shown while all runs of a filter are read in order to select them. */
export const readingRuns = (found: number, all: number) => `reading ${grouped(found)} of ${grouped(all)}`;
/** Progress of an action over the selected runs. */
export const progressText = (done: number, all: number) => `${grouped(done)} of ${grouped(all)}`;
export const selectAllButton = (count: number) => `Select all ${grouped(count)}`;
export const selectFirstButton = (count: number) => `Select the first ${grouped(count)}`;

/** Runs that the server refused for the same reason: some names, and the number of further ones. */
export const refusedRuns = (names: readonly string[], more: number, reason: string) =>
  `${listed(names, more)}: ${reason}`;
export const refusedOtherwise = (count: number) => `and ${grouped(count)} more, for other reasons`;
export const willBeDeleted = (count: number) => `${runsText(count)} will be deleted in a few seconds`;

export const willBeDeletedWhole = (count: number) => `${willBeDeleted(count)}, with their copies in the archive`;
export const alsoArchivedField = (copies: number) =>
  `Also delete ${plural(copies, "the copy", `the ${grouped(copies)} copies`)} in the archive`;

/** An action, as the text of its button and of its confirmation. */
export const retryRuns = (count: number) => `Retry ${runsText(count)}`;
export const resubmitRuns = (count: number) => `Resubmit ${runsText(count)}`;
export const resumeRuns = (count: number) => `Resume ${runsText(count)}`;
export const stopRuns = (count: number) => `Stop ${runsText(count)}`;
export const terminateRuns = (count: number) => `Terminate ${runsText(count)}`;
export const deleteRuns = (count: number) => `Delete ${runsText(count)}`;
export const confirmTitle = (action: string) => `${action}?`;

export const resubmitConsequence = "Each run starts from the beginning under a new name, with the same parameters.";
export const resumeConsequence =
  "Suspended runs start new steps again, and steps that wait for a person continue. A run with a step that needs a value " +
  "stays unchanged.";
/** Reasons why a run is not resumed together with others. */
export const needsAnswer = "a step waits for a value: enter it on the page of the run";
export const hasWaitingStep = "a step waits for a person: resume it on the page of the run";
const podsText = (count: number) => `${grouped(count)} ${plural(count, "pod ends", "pods end")}`;
export const stopConsequence = (pods: number) => `Up to ${podsText(pods)}; exit handlers still run.`;
export const terminateConsequence = (pods: number) => `Up to ${podsText(pods)} at once; exit handlers do not run.`;
export const deleteConsequence = "Their pods and logs are deleted too. You can undo this for eight seconds.";
