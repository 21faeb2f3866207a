/** Texts of a saved change, and of its undo. */

export const saved = "Saved";
export const undone = "The change was undone";
export const changedSince = "Somebody changed it in the meantime: nothing was undone";
