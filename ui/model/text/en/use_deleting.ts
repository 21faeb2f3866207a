/** Words of the deletion of a template, a schedule, an event source or a sensor. */

export const askDeleteButton = "Delete…";
export const deleteTitle = (name: string) => `Delete ${name}?`;
export const ofTemplate = "Runs that were made from it stay. What refers to it will fail when it next starts.";
export const ofSchedule = "It makes no more runs. Those that it made go with it, also those that are at work.";
export const ofEvents = "What it brought, or set off, stays. Nothing comes of it any more.";
export const deleteNamedButton = (name: string) => `Delete ${name}`;
/** While a deletion can be taken back. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
