/** Words of the drawer of a run. */

export const drawerLabel = (run: string) => `About ${run}`;
/** In the place of a time that has not come. */
export const notYet = "not yet";
/** The template that a run was made from. */
export const templateField = "From";
export const creatorField = "Created by";
export const labelsHeading = "Labels";
export const resourcesHeading = "Resources";
