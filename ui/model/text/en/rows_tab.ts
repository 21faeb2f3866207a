/** Texts of the nodes of a run as rows: the tree, and the timeline. */

export const reading = "Reading the nodes …";
export const nothingStartedYet =
  "Nothing has started yet. Nodes appear here when they start. Choose Why to see what they wait for.";
export const zoomInButton = "Zoom in";
export const zoomOutButton = "Zoom out";
/** Shows the whole time span. */
export const allButton = "All";
export const zoomToNodeButton = "Zoom to the selected node";
/** The colors of the stages of a bar. */
export const stagesLabel = "Stages of a bar";
export const schedulingStage = "Scheduling";
export const imagePullStage = "Image pull";
export const startingStage = "Starting";
export const runningStage = "Running";
export const savingStage = "Saving outputs";
/** The pause before the next attempt. */
export const backoffStage = "Retry backoff";
