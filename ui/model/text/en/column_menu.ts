/** Words of the menu of columns. */

export const menuButton = "Columns";
export const keyLabel = "Label, or annotation:KEY, of a new column";
export const keyExample = "team, annotation:KEY";
export const addButton = "Add";
/** Shows the columns again that are there without anybody's choice. */
export const usualButton = "The usual ones";
