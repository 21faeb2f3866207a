/** Texts of parts of the page that load when they are first shown. */

/** Title shown instead of a dialog that could not be loaded. */
export const missingDialogTitle = "This dialog could not be loaded";
