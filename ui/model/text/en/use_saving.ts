/** Words of what was saved, and of its Undo. */

export const saved = "Saved";
export const putBack = "It is as it was before";
export const changedSince = "Somebody changed it since: nothing was put back";
