/** Texts of the drawer of a run. */

export const drawerLabel = (run: string) => `About ${run}`;
/** Shown instead of a time that is not yet known. */
export const notYet = "not yet";
/** The template, schedule, binding or run that a run was created from. */
export const templateField = "From";
export const cronField = "Schedule";
export const bindingField = "Event binding";
export const resubmittedField = "Resubmitted from";
export const creatorField = "Created by";
export const durationOfEstimate = (took: string, usual: string) => `${took} of about ${usual}`;
/** A condition of the run, such as an error of its metrics. */
export const condition = (type: string, message: string) => `${type}: ${message}`;
export const labelsHeading = "Labels";
export const resourcesHeading = "Resources";
