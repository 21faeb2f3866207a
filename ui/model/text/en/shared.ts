/**
 * Words that several areas of the page say: buttons of dialogs and panels, and the fields that all runs and nodes have. The
 * list of runs loads them with its own: what it does not say, and one other area does, stands there.
 */
import { grouped } from "../en.ts";

export const closeButton = "Close";
export const cancelButton = "Cancel";
export const retryButton = "Retry";
export const dismissButton = "Dismiss";
export const undoButton = "Undo";
export const submitButton = "Submit";
export const downloadButton = "Download";
export const logsButton = "Logs";
export const deleteButton = "Delete";
/** Opens the editor with an example, where a list is empty. */
export const writeOneButton = "Write one";

export const nameField = "Name";
export const namespaceField = "Namespace";
export const startedField = "Started";
export const finishedField = "Finished";
export const durationField = "Duration";
export const progressField = "Progress";
export const messageField = "Message";
export const parametersField = "Parameters";
export const costField = "Cost";
/** The resources that were used. */
export const usedField = "Used";

/** What stands in place of something that is not there yet. */
export const loading = "Loading …";
export const loadingNamed = (name: string) => `Loading ${name} …`;
/** The links above the head of a page. */
export const crumbsLabel = "Where this is";
/** How many runs of a list are selected. */
export const selectedRuns = (count: number) => `${grouped(count)} selected`;
/** The line below a list of which not everything is shown. */
export const andMore = (count: number) => `and ${grouped(count)} more`;
