/** Words of what can be done to a run, and of what is under way. */

export const resumeButton = "Resume";
export const suspendButton = "Suspend";
export const stopButton = "Stop";
export const terminateButton = "Terminate";
export const resubmitButton = "Resubmit";
/** Buttons that open a dialog first. */
export const askStopButton = "Stop…";
export const askTerminateButton = "Terminate…";
export const askRetryButton = "Retry…";
export const askResubmitButton = "Resubmit…";

export const shareButton = "Share";

/** The word of an action that is under way. */
export const underWay = (action: string) => `${action}…`;
export const suspending = "suspending";
export const resuming = "resuming";
export const stopping = "stopping";
export const terminating = "terminating";
export const retrying = "retrying";
export const resubmitting = "resubmitting";
export const deleting = "deleting";

/** While a deletion can be taken back. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
/** Takes away the refusal that somebody has read. */
export const understoodButton = "Understood";
