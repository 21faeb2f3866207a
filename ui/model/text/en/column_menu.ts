/** Texts of the menu that selects columns. */

export const keyLabel = "New column: a label, or annotation:KEY";
export const keyExample = "team, annotation:KEY";
export const addButton = "Add";
/** Restores the default columns. */
export const resetButton = "Reset";
