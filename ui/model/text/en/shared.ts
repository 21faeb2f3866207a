/**
 * Texts that several areas of the page use: buttons and fields, times, refusals, and actions in progress. The list of
 * runs loads this file first, so a text that it does not use and only one other area uses belongs to that area's file.
 */
import { grouped } from "../en.ts";

// Buttons and fields

/** A link to the documentation. */
export const docsLink = "Docs";
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

// Parts of the page that load when they are first shown

/** Title shown instead of a dialog that could not be loaded. */
export const missingDialogTitle = "This dialog could not be loaded";

// Times relative to now

export const now = "now";
export const ago = (duration: string) => `${duration} ago`;
export const ahead = (duration: string) => `in ${duration}`;

// The title and description that an object has in its annotations

/** Unfolds the long description of a run without a title. */
export const aboutRun = "About this run";

// The indicator that shows whether the page is up to date

export const connecting = "catching up";
export const live = "live";
export const offlineFor = (duration: string) => `offline for ${duration}`;
export const refused = "not updating";

// A refusal shown instead of a page

/** Links from an object that was not found to the list. */
export const showListButton = "Back to the list";

// All refusals: the attempt, and buttons to continue

export const attemptText = (subject: string) => `Tried to ${subject}.`;
export const logInButton = "Log in";
export const tryAgainButton = "Try again";
export const reloadButton = "Reload";

// Each kind of refusal: its meaning, and advice

export const offlineTitle = "The server does not respond";
export const offlineAdvice =
  "The page shows the last known state and retries automatically. Check that the server is running.";
export const tabLoginTitle = "This tab is not logged in";
export const tabLoginAdvice =
  "Open the link that  tiphys local  printed, or run  tiphys ui  in a terminal to get it again.";
export const loginTitle = "You are not logged in";
export const loginAdvice = "Log in to return to this page.";
export const forbiddenTitle = "You may not do this";
export const forbiddenAdvice =
  "Ask an administrator of the cluster to grant you the verb on the resource that is named above.";
export const absentTitle = "Not found";
export const absentAdvice = "It was deleted, or never existed. A deleted run may still be in the archive.";
export const conflictTitle = "It was changed in the meantime";
export const conflictAdvice = "Reload the page, and repeat your change.";
export const invalidTitle = "The server refused this";
export const invalidAdvice = "Fix the reported problem, and try again.";
export const busyTitle = "Too many requests";
export const busyAdvice = "Wait a moment, then try again.";
export const unknownRouteTitle = "This server cannot do this";
export const unknownRouteAdvice = "It has another version, or is not a Tiphys server. Try the command line.";
export const serverTitle = "Internal server error";
export const serverAdvice = "See the log of the server. Trying again may help.";
export const partTitle = "A part of this page could not be loaded";
export const partAdvice = "Reload the page to return here.";

// Actions in progress

export const underWay = (action: string) => `${action}…`;
export const suspending = "suspending";
export const resuming = "resuming";
export const stopping = "stopping";
export const terminating = "terminating";
export const retrying = "retrying";
export const resubmitting = "resubmitting";
export const deleting = "deleting";

// The causes of a node's failure

export const outOfMemory = (limit: string | undefined) => `killed: out of memory${limit ? `, limit ${limit}` : ""}`;
export const timedOut = (limit: string | undefined) => `timed out${limit ? ` after ${limit}` : ""}`;
export const imageMissing = (image: string | undefined) => `the image ${image ? `${image} ` : ""}cannot be pulled`;
export const commandMissing = (command: string) => `command ${command} not found`;
export const killed = "killed (exit code 137)";
/** Used when the message of the workflow names its failed step by ID only, or by name only. */
export const stepFailed = "a step failed";
export const failedStep = (step: string) => `${step} failed`;
/** An exit code and the message of the command. */
export const exited = (code: string, detail: string) => `exit code ${code}${detail ? `: ${detail}` : ""}`;
