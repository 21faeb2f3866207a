/** Words of the actions on many runs: their buttons, and what was done to how many. */

export const retryButton = "Retry…";
export const resubmitButton = "Resubmit…";
export const suspendButton = "Suspend";
export const resumeButton = "Resume";
export const stopButton = "Stop…";
export const terminateButton = "Terminate…";
export const deleteButton = "Delete…";

export const retried = (runs: number) => `Retried ${runs}`;
export const resubmitted = (runs: number) => `Resubmitted ${runs}`;
export const suspended = (runs: number) => `Suspended ${runs}`;
export const resumed = (runs: number) => `Resumed ${runs}`;
export const stopped = (runs: number) => `Stopped ${runs}`;
export const terminated = (runs: number) => `Terminated ${runs}`;
export const deleted = (runs: number) => `Deleted ${runs}`;
/** The same, where some were refused. */
export const butRefused = (done: string, refused: number) => `${done}; ${refused} refused`;
