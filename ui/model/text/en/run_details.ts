/** Words of the details of a run: what it was made from, by whom, and what went in and came out. */

export const label = "Details";
export const fromField = "From";
export const previousRunsLink = "Previous runs";
export const creatorField = "Created by";
export const actorField = "Changed by";
export const createdField = "Created";
export const namedField = "UID";
export const estimateField = "Estimated";
export const priorityField = "Priority";
export const accountField = "Service account";
export const outputsHeading = "Outputs";
export const labelsHeading = "Labels";
export const annotationsHeading = "Annotations";
/** What a link to a label does. */
export const aboutLabel = "All runs with this label";
