/** Words of the nodes of a run as rows: the tree, and the timeline. */

export const reading = "Reading the nodes …";
export const nothingBegan = "Nothing has begun yet.";
export const nearerButton = "Nearer in time";
export const fartherButton = "Farther in time";
/** Shows all of the time. */
export const allButton = "All";
export const nodeTimeButton = "Only the chosen node's time";
/** The colours of the stages that a bar is made of. */
export const stagesLabel = "Stages of a bar";
