/** Words of actions on the runs that are selected: what is asked first, how it goes on, and what came of it. */
import { grouped, plural } from "../en.ts";

const runsText = (count: number) => `${count} ${plural(count, "run", "runs")}`;

/** While all runs of a filter are read to be selected. */
export const readingRuns = (found: number, all: number) => `reading ${grouped(found)} of ${grouped(all)}`;
/** While an action goes from run to run. */
export const doneOf = (done: number, all: number) => `${done} of ${all}`;
export const selectAllButton = (count: number) => `Select all ${grouped(count)}`;
export const selectFirstButton = (count: number) => `Select the first ${grouped(count)}`;

/** Runs that the server refused for one reason: some by name, and how many more. */
export const refusedRuns = (names: readonly string[], more: number, reason: string) =>
  `${names.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}: ${reason}`;
export const refusedOtherwise = (count: number) => `and ${grouped(count)} more, for other reasons`;
export const willBeDeleted = (count: number) => `${runsText(count)} will be deleted in a few seconds`;

/** The question before an action, with the word of its button. */
export const confirmTitle = (action: string, count: number) => `${action} ${runsText(count)}?`;
export const confirmButton = (action: string, count: number) => `${action} ${runsText(count)}`;

export const resubmitConsequence =
  "Each runs again from its beginning, under a new name and with the parameters that it had.";
export const stopConsequence = (pods: number) => `Up to ${pods} pods end; exit handlers still run.`;
export const terminateConsequence = (pods: number) => `Up to ${pods} pods end at once; exit handlers do not run.`;
export const deleteConsequence = "Their pods and logs go with them. For eight seconds you can undo it.";
