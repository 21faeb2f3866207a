/** Words of a refusal in place of a page. */

/** Leads from an address that names nothing to the list. */
export const showListButton = "Back to the list";
