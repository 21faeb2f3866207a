/** Texts of a refusal shown instead of a page. */

/** Links from an object that was not found to the list. */
export const showListButton = "Back to the list";
