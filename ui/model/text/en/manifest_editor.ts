/** Words of the editor of a manifest: its buttons, and why one is off. */

export const dryRunButton = "Dry run";
/** Puts back the text that there was at first. */
export const putBackButton = "Put back";
/** Shows the graph beside the text. */
export const graphToggle = "Graph";
export const openFileButton = "Open a file…";
export const mendFirst = "Mend the problems first";
/** Said of a place in the manifest that somebody else has changed, too. */
export const cannotBeSet = (place: string) => `${place} cannot be set in this text: set it by hand`;
