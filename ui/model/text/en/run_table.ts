/** Texts of the table of runs. */

export const selectAll = "Select all rows";
export const select = (run: string) => `Select ${run}`;
/** The source of a run (template, schedule, event binding or run), and the person who created it. */
export const sourceField = "Source";
export const creatorField = "Created by";
export const archivedBadge = "archived";
export const moreColumn = "More";
export const menuButton = (run: string) => `Actions of ${run}`;
/** The progress of a run that succeeded without reporting all of it. */
export const progressDone = "done";
export const progressLabel = (done: number, all: number) => `${done} of ${all} nodes`;
