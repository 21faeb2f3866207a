/** Words of the drawer of a run. */

export const drawerLabel = (run: string) => `About ${run}`;
/** In the place of a time that has not come. */
export const notYet = "not yet";
/** What a run was made from, or by. */
export const templateField = "From";
export const cronField = "By the schedule";
export const bindingField = "By the binding";
export const resubmittedField = "Once more";
export const creatorField = "Created by";
export const tookOfAbout = (took: string, usual: string) => `${took} of about ${usual}`;
/** A condition of the run, as an error of its metrics. */
export const condition = (type: string, message: string) => `${type}: ${message}`;
export const labelsHeading = "Labels";
export const resourcesHeading = "Resources";
