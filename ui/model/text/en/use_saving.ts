/** Texts of a saved change, and of its undo. */

export const saved = "Saved";
export const undone = "The change was undone";
export const undoConflict = "Somebody changed it in the meantime: nothing was undone";
