/** Texts of the menu of saved views. */

/** The button while a view is shown. */
export const currentButton = (view: string) => `View: ${view}`;
export const viewsLabel = "Saved views";
export const removeButton = (view: string) => `Remove the view ${view}`;
export const nameLabel = "Name of this view";
export const saveButton = "Save";
export const storageNote = "Views are stored in this browser; each is a link that you can share.";
