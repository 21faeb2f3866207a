/** Words of the table of runs. */

export const selectAll = "Select all rows";
export const select = (run: string) => `Select ${run}`;
export const archivedBadge = "archived";
export const moreColumn = "More";
export const moreButton = (run: string) => `More about ${run}`;
export const progressLabel = (done: number, all: number) => `${done} of ${all} nodes`;
