/** Texts of the result of a dry run. */

export const areaLabel = "Dry run";
export const nothingCreated = "The server would create this; nothing was created.";
export const closeButton = "Close the dry run";
export const manifestLabel = "Manifest of the dry run";
