/** Texts of the deletion of a template, a schedule, an event source or a sensor. */

export const askDeleteButton = "Delete…";
export const deleteTitle = (name: string) => `Delete ${name}?`;
export const ofTemplate = "Existing runs are kept. New runs that refer to it fail.";
export const ofSchedule = "It starts no more runs. Its runs are deleted too, also the running ones.";
export const ofEvents = "Existing runs are kept. It no longer handles events.";
export const deleteNamedButton = (name: string) => `Delete ${name}`;
/** Shown while a deletion can be undone. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
