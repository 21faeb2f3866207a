/** Texts of the actions of a run, and of the action in progress. */

export const resumeButton = "Resume";
export const suspendButton = "Suspend";
export const stopButton = "Stop";
export const terminateButton = "Terminate";
export const resubmitButton = "Resubmit";
/** The menu of all actions without a dedicated button. */
export const moreButton = "More ▾";
/** Buttons that open a dialog first. */
export const askResumeButton = "Resume…";
export const askStopButton = "Stop…";
export const askTerminateButton = "Terminate…";
export const askRetryButton = "Retry…";
export const askResubmitButton = "Resubmit…";

/** Results of actions that can be undone. */
export const nowSuspended = "Suspended: no new steps start.";
export const nowResumed = "Resumed.";

export const shareButton = "Share";

/** Shown while a deletion can be undone. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
/** Hides a refusal. */
export const dismissRefusalButton = "Dismiss";
