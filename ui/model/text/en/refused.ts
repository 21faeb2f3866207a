/** Words of a refusal in place of a page. */

/** Leads from an address that names nothing to the list of what there is. */
export const showListButton = "Show what is there";
