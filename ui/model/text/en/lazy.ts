/** Words of parts of the page that are loaded when they are first shown. */

/** The title of what stands in the place of a dialog that could not be loaded. */
export const missingDialogTitle = "This cannot be opened now";
