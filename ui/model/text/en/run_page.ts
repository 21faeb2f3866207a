/** Texts of the page of one run: its header, tabs and tools, and the buttons of the node panel. */
import { grouped } from "../en.ts";

/** Links to the list of runs. */
export const listLink = "Runs";
export const archivedBadge = "archived";
export const aboutArchived = "This run is archived and no longer in the cluster";
/** The time that a run took so far, and its estimated duration. */
export const durationOfEstimate = (took: string, estimate: string) => `${took} of ~${estimate}`;
export const wasDeleted = "This run was deleted. The page shows its last state.";
export const archiveButton = "Search the archive";
export const otherRunHasName = "The cluster now has another run with this name.";
export const showNamesake = "Show it";
/** Shown when a link names an artifact that the run does not have. */
export const noSuchArtifact = (urn: string) => `No node of this run has ${urn}.`;
export const showRunAlone = "Show the run alone";

/** The line with the source, creator and parameters. */
export const sourceLabel = "Source and parameters";
export const fromSource = "From";
export const byCreator = (creator: string) => `by ${creator}`;
export const moreParameters = (count: number) => `and ${grouped(count)} more`;
export const nodesDone = (done: number, all: number) => `${grouped(done)} of ${grouped(all)} nodes`;

/** The sentence about the state of the run. */
export const sentenceLabel = "State";
export const whyButton = "Why";
export const loadingReasons = "Loading …";
export const failedCount = (count: number) => `${grouped(count)} failed`;
export const previousFailedButton = "Previous failed node";
export const nextFailedButton = "Next failed node";

export const viewsLabel = "Views of the run";
export const graphTab = "Graph";
export const timelineTab = "Timeline";
export const treeTab = "Tree";
export const logsTab = "Logs";
export const eventsTab = "Events";
export const manifestTab = "Manifest";
export const artifactsTab = "Artifacts";
export const compareTab = "Compare";

/** The menu of panels that are shown above the tabs. */
export const viewMenuButton = "View ▾";
export const findField = "Find a node";
export const onlyFoundToggle = "Only found";
export const onlyFailedToggle = "Only failed";
export const criticalPathToggle = "Critical path";
export const detailsToggle = "Details";
export const aboutDetails = "Times, outputs, labels and annotations";
export const aboutCost = "Resource use, and advice about the manifest";

export const replayToggle = "Replay";
/** Label of the slider over the time of a run. */
export const replayField = "State after";
/** A moment of the replay, and the duration of the run. */
export const momentText = (moment: string, whole: string) => `${moment} of ${whole}`;
export const backToNowButton = "Back to now";

export const retryFromHereButton = "Retry from here…";
