/** Texts of actions on several runs: buttons, names, and results. */
import { grouped } from "../en.ts";

export const retryButton = "Retry…";
export const resubmitButton = "Resubmit…";
export const suspendButton = "Suspend";
export const resumeButton = "Resume…";
export const stopButton = "Stop…";
export const terminateButton = "Terminate…";
export const deleteButton = "Delete…";

/** Names of the actions whose buttons open a dialog first: the button's text without its ellipsis. */
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
/** A result when the server refused some of the runs. */
export const resultWithRefusals = (done: string, refused: number) => `${done}; ${grouped(refused)} refused`;
