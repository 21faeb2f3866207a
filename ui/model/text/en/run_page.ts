/** Words of the page of one run: its head, its tabs and tools, and the buttons of the panel of a node. */
import { grouped } from "../en.ts";

/** The link to all of them. */
export const listLink = "Runs";
export const archivedBadge = "archived";
export const aboutArchived = "This run is in the archive, and no longer in the cluster";
/** The time that a run took so far, of what it is estimated to take. */
export const tookOfAbout = (took: string, estimate: string) => `${took} of ~${estimate}`;
export const wasDeleted = "This run was deleted. The page shows its last state.";
export const archiveButton = "Look for it in the archive";
export const hasNamesake = "Another run of this name is in the cluster now.";
export const showNamesake = "Show that one";
/** Said where a bookmark names an artifact that no node of the run has. */
export const noSuchArtifact = (urn: string) => `No node of this run has ${urn}.`;
export const showRunAlone = "Show the run alone";

/** The line of the source, the creator and the parameters. */
export const sourceLabel = "Source and parameters";
export const fromSource = "From";
export const byCreator = (creator: string) => `by ${creator}`;
export const moreParameters = (count: number) => `and ${grouped(count)} more`;
export const nodesDone = (done: number, all: number) => `${grouped(done)} of ${grouped(all)} nodes`;

/** What is known to be wrong beside its nodes. */
export const troublesLabel = "Conditions";

/** The sentence about the run. */
export const sentenceLabel = "State";
export const whyButton = "Why";
export const asking = "Asking …";
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

/** The menu of what is shown above the tabs' content. */
export const viewMenuButton = "View ▾";
export const findField = "Find a node";
export const onlyFoundToggle = "Only found";
export const onlyFailedToggle = "Only failed";
export const criticalPathToggle = "Critical path";
export const detailsToggle = "Details";
export const aboutDetails = "Times, outputs, labels and annotations";
export const aboutCost = "What it used, and what its manifest leaves to chance";

export const replayToggle = "Replay";
/** Before the slider over the time of a run. */
export const replayField = "As it was after";
/** A moment of a run, of the time that it took. */
export const momentOf = (moment: string, whole: string) => `${moment} of ${whole}`;
export const backToNowButton = "Back to now";

export const retryFromHereButton = "Retry from here…";
