/** Texts of the manifest editor: its buttons, and why one is disabled. */

export const dryRunButton = "Dry run";
/** Restores the original text. */
export const resetButton = "Reset";
/** Shows the graph next to the text. */
export const graphToggle = "Graph";
export const openFileButton = "Open a file…";
export const fixProblemsFirst = "Fix the problems first";
/** Shown for a path of the manifest that somebody else changed as well. */
export const cannotBeSet = (place: string) => `${place} cannot be set in this text: set it manually`;
