/** Texts of actions in progress. */

export const underWay = (action: string) => `${action}…`;
export const suspending = "suspending";
export const resuming = "resuming";
export const stopping = "stopping";
export const terminating = "terminating";
export const retrying = "retrying";
export const resubmitting = "resubmitting";
export const deleting = "deleting";
