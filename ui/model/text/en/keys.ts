/** Texts of keyboard shortcuts. */

// The keys of a run's page

export const showGraph = "Show the graph";
export const showTimeline = "Show the timeline";
export const showTree = "Show the tree";
export const showLogs = "Show the logs";
export const showEvents = "Show the events";
export const showManifest = "Show the manifest";
export const showArtifacts = "Show the artifacts";
export const compare = "Compare with another run";
export const find = "Find nodes, or in the log";
export const onlyFailed = "Show failed nodes only";
export const failedBefore = "Previous failed node";
export const nextFailed = "Next failed node";
export const criticalPath = "Show the critical path";
export const logOfNode = "Show the log of the node";
export const retry = "Retry";
export const closePanel = "Close the panel";

// The table of keys

export const spaceKey = "Space";

// The dialog that lists the keys

export const keysHeading = "Keys";
/** Heads the keys that have no effect in the current state of the page. */
export const idleKeysHeading = "Not available now";
export const searchAction = "Search, or run an action";
export const lettersAct = "Single-letter keys act while you are not typing.";
export const lettersAreOff = "Single-letter keys are turned off.";
export const settingsLink = "Settings";
export const helpLink = "Help";
