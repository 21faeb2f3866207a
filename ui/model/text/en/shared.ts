/** Words that several areas of the page say: buttons of dialogs and panels, and the fields that all runs and nodes have. */

export const closeButton = "Close";
export const cancelButton = "Cancel";
export const retryButton = "Retry";

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
