/** Words of the actions on many runs: their buttons and names, and what was done to how many. */
import { grouped } from "../en.ts";

export const retryButton = "Retry…";
export const resubmitButton = "Resubmit…";
export const suspendButton = "Suspend";
export const resumeButton = "Resume…";
export const stopButton = "Stop…";
export const terminateButton = "Terminate…";
export const deleteButton = "Delete…";

/** The actions whose buttons open a dialog first, without it. */
export const retryAction = "Retry";
export const resubmitAction = "Resubmit";
export const resumeAction = "Resume";
export const stopAction = "Stop";
export const terminateAction = "Terminate";
export const deleteAction = "Delete";

export const retried = (runs: number) => `Retried ${grouped(runs)}`;
export const resubmitted = (runs: number) => `Resubmitted ${grouped(runs)}`;
export const suspended = (runs: number) => `Suspended ${grouped(runs)}`;
export const resumed = (runs: number) => `Resumed ${grouped(runs)}`;
export const stopped = (runs: number) => `Stopped ${grouped(runs)}`;
export const terminated = (runs: number) => `Terminated ${grouped(runs)}`;
export const deleted = (runs: number) => `Deleted ${grouped(runs)}`;
/** The same, where some were refused. */
export const butRefused = (done: string, refused: number) => `${done}; ${grouped(refused)} refused`;
