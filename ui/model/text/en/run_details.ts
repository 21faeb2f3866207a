/** Texts of the details of a run: its source and creator, its inputs and outputs. */

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
/** Describes the link of a label. */
export const aboutLabel = "All runs with this label";
