/** Texts of the menu of a run in the list. */

export const detailsButton = "Show details";
export const logLink = "Open log";
