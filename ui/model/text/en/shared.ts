/**
 * Texts that several areas of the page use: buttons of dialogs and panels, and fields of all runs and nodes. The list
 * of runs loads this file first, so a text that it does not use and only one other area uses belongs to that area's
 * file.
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
/** Opens the editor with an example, when a list is empty. */
export const createOneButton = "Create one";

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

/** Shown instead of content that is being loaded. */
export const loading = "Loading …";
export const loadingNamed = (name: string) => `Loading ${name} …`;
/** The links above the header of a page. */
export const crumbsLabel = "Breadcrumbs";
/** The number of selected runs. */
export const selectedRuns = (count: number) => `${grouped(count)} selected`;
/** The line below a list that is not shown completely. */
export const andMore = (count: number) => `and ${grouped(count)} more`;
