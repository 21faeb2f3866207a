/** Texts of the widgets: runs in frames of other pages. */

export const documentTitle = "Tiphys";
export const addressNeeded = "This widget needs name=NAME or label=KEY=VALUE in its address.";
export const refused = "The run is not shown";
export const noMatchingRun = "No run matches this widget's address.";
export const drawing = "Drawing the graph …";
export const noNodesYet = "This run has no nodes yet.";
