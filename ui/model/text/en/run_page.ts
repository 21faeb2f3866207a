/** Texts of the page of one run, apart from the parts that load when they are opened. */
import { grouped, listed } from "../en.ts";

// The page of one run

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

// The surroundings of the graph

export const drawing = "Drawing the graph …";
export const noNodesYet =
  "This run has no nodes yet. They appear here when it starts. Choose Why to see what it waits for.";

export const coloursLabel = "Colors of the graph";
/** Measures that colors can show instead of phases. */
export const byDuration = "duration";
export const byCost = "cost";
export const byTemplate = "template";
export const byHost = "host";
export const coloursOfPhases = "Colors: phases";
export const coloursOf = (subject: string) => `Colors: ${subject}`;
export const legendLabel = (subject: string) => `Colors by ${subject}`;
export const nothingRan = "Nothing has run yet";
export const noNodeUsed = "No node reports its resource use";
export const noTemplateNamed = "No node names its template";
export const noHostNamed = "No node names its host";

// The actions of a run, and the action in progress

export const resumeButton = "Resume";
export const suspendButton = "Suspend";
export const stopButton = "Stop";
export const terminateButton = "Terminate";
export const resubmitButton = "Resubmit";
/** The menu of all actions without a dedicated button. */
export const moreButton = "More ▾";
/** Buttons that open a dialog first. */
export const askResumeButton = "Resume…";
export const askStopButton = "Stop…";
export const askTerminateButton = "Terminate…";
export const askRetryButton = "Retry…";
export const askResubmitButton = "Resubmit…";

/** Results of actions that can be undone. */
export const nowSuspended = "Suspended: no new steps start.";
export const nowResumed = "Resumed.";

export const shareButton = "Share";

/** Shown while a deletion can be undone. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
/** Hides a refusal. */
export const dismissRefusalButton = "Dismiss";

// The sentence at the head of a run

export const stopping = "Stopping: exit handlers run";
export const terminating = "Terminating";
export const held = "Suspended: no new steps start until you resume it";
export const betweenSteps = "Starting the next step";
export const notStarted = "Pending: the controller has not started it yet";

/** Running nodes, some by name, and the number of further ones; and the number of pending ones. */
export const running = (names: readonly string[], more: number, waiting: number) =>
  `${listed(names, more)} running${waiting === 0 ? "" : `; ${grouped(waiting)} pending`}`;
export const aboutToStart = (names: readonly string[], more: number) => `${listed(names, more)} pending`;
export const waitsFor = (node: string, reason: string) => `${node} waits: ${reason}`;
/** A node that waits for a person, with the values that it requires. */
export const waitsForYou = (node: string, values: readonly string[]) =>
  values.length === 0 ? `${node} waits for your approval` : `${node} waits for a value from you: ${values.join(", ")}`;
/** The nodes that failed, with the reason, or the empty string if it is unknown. */
export const failedAlone = (node: string, reason: string) => `${node} failed${reason && `: ${reason}`}`;
export const failedFirst = (node: string, reason: string) => `${node} failed first${reason && `: ${reason}`}`;
export const succeeded = "Succeeded";
export const succeededIn = (duration: string) => `Succeeded in ${duration}`;
