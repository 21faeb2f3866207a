/** Texts of the list of runs that load after it is shown: activity, selection, menus and the drawer. */
import { grouped, listed, plural } from "../en.ts";

// The activity above the list of runs

export const activityLabel = "Activity";
export const periods = { "24h": "24 h", "7d": "7 days" } as const;
export const periodNames = { "24h": "Last 24 hours", "7d": "Last 7 days" } as const;
/** The counts of a bar: `3 Failed, 20 Succeeded`. */
export const phaseBarLabel = (from: string, to: string, counts: readonly (readonly [phase: string, count: number])[]) =>
  `${from} to ${to}: ${counts.map(([phase, count]) => `${grouped(count)} ${phase}`).join(", ")}`;
/** A total, as a link that filters the list. */
export const totalLabel = (count: number, phase: string) => `${grouped(count)} ${phase}`;
export const succeededShare = (percent: number) => `${percent} % succeeded`;
/** The end of the axis. */
export const axisEndLabel = "now";
export const nothingStarted = "No run started in this time.";

// Actions on several runs

export const retryButton = "Retry…";
export const resubmitButton = "Resubmit…";
export const suspendButton = "Suspend";
export const resumeButton = "Resume…";
export const stopButton = "Stop…";
export const terminateButton = "Terminate…";
export const deleteButton = "Delete…";

/** Names of the actions whose buttons open a dialog first: the button's text without its ellipsis. */
export const retryAction = "Retry";
export const resubmitAction = "Resubmit";
export const resumeAction = "Resume";
export const stopAction = "Stop";
export const terminateAction = "Terminate";
export const deleteAction = "Delete";

export const retried = (runs: number) => `Retried ${grouped(runs)}`;
export const resubmitted = (runs: number) => `Resubmitted ${grouped(runs)}`;
export const suspendedRuns = (runs: number) => `Suspended ${grouped(runs)}`;
export const resumed = (runs: number) => `Resumed ${grouped(runs)}`;
export const stoppedRuns = (runs: number) => `Stopped ${grouped(runs)}`;
export const terminated = (runs: number) => `Terminated ${grouped(runs)}`;
export const deleted = (runs: number) => `Deleted ${grouped(runs)}`;
/** A result when the server refused some of the runs. */
export const resultWithRefusals = (done: string, refused: number) => `${done}; ${grouped(refused)} refused`;

// Actions on the selected runs

const runsText = (count: number) => `${grouped(count)} ${plural(count, "run", "runs")}`;

/** Shown while all runs of a filter are read in order to select them. */
export const readingRuns = (count: number, all: number) => `reading ${grouped(count)} of ${grouped(all)}`;
/** Progress of an action over the selected runs. */
export const progressText = (done: number, all: number) => `${grouped(done)} of ${grouped(all)}`;
export const selectAllButton = (count: number) => `Select all ${grouped(count)}`;
export const selectFirstButton = (count: number) => `Select the first ${grouped(count)}`;

/** Runs that the server refused for the same reason: some names, and the number of further ones. */
export const refusedRuns = (names: readonly string[], more: number, reason: string) =>
  `${listed(names, more)}: ${reason}`;
export const refusedOtherwise = (count: number) => `and ${grouped(count)} more, for other reasons`;
export const willBeDeleted = (count: number) => `${runsText(count)} will be deleted in a few seconds`;

export const willBeDeletedWhole = (count: number) => `${willBeDeleted(count)}, with their copies in the archive`;
export const alsoArchivedField = (copies: number) =>
  `Also delete ${plural(copies, "the copy", `the ${grouped(copies)} copies`)} in the archive`;

/** An action, as the text of its button and of its confirmation. */
export const retryRuns = (count: number) => `Retry ${runsText(count)}`;
export const resubmitRuns = (count: number) => `Resubmit ${runsText(count)}`;
export const resumeRuns = (count: number) => `Resume ${runsText(count)}`;
export const stopRuns = (count: number) => `Stop ${runsText(count)}`;
export const terminateRuns = (count: number) => `Terminate ${runsText(count)}`;
export const deleteRuns = (count: number) => `Delete ${runsText(count)}`;
export const confirmTitle = (action: string) => `${action}?`;

export const resubmitConsequence = "Each run starts from the beginning under a new name, with the same parameters.";
export const resumeConsequence =
  "Suspended runs start new steps again, and steps that wait for a person continue. A run with a step that needs a value " +
  "stays unchanged.";
/** Reasons why a run is not resumed together with others. */
export const needsAnswer = "a step waits for a value: enter it on the page of the run";
export const hasWaitingStep = "a step waits for a person: resume it on the page of the run";
const podsText = (count: number) => `${grouped(count)} ${plural(count, "pod ends", "pods end")}`;
export const stopConsequence = (pods: number) => `Up to ${podsText(pods)}; exit handlers still run.`;
export const terminateConsequence = (pods: number) => `Up to ${podsText(pods)} at once; exit handlers do not run.`;
export const deleteConsequence = "Their pods and logs are deleted too. You can undo this for eight seconds.";

// The toolbar for the selected runs

export const bulkBarLabel = "Actions on the selected runs";
/** The reason why the button of an action is disabled. */
export const actionNotApplicable = "This action does not apply to any selected run";
/** Clears the selection. */
export const clearButton = "Clear";

// The menu that selects columns

export const keyLabel = "New column: a label, or annotation:KEY";
export const keyExample = "team, annotation:KEY";
export const addButton = "Add";
/** Restores the default columns. */
export const resetButton = "Reset";

// The empty list of runs

export const noRunMatches = "No run matches these filters";
export const removeFilters = "Remove some or all filters.";
export const noRunsYet = "No runs yet";
/** Describes runs, above a command that starts one. */
export const aboutRuns =
  "A run executes the steps of a workflow, each in a container. Start one here, or in a terminal:";
/** Starts an example. */
export const helloWorldButton = "Run hello-world";

// The menu of a run in the list

export const detailsButton = "Show details";
export const logLink = "Open log";

// The drawer of a run

export const drawerLabel = (run: string) => `About ${run}`;
/** Shown instead of a time that is not yet known. */
export const notYet = "not yet";
/** The template, schedule, binding or run that a run was created from. */
export const templateField = "From";
export const cronField = "Schedule";
export const bindingField = "Event binding";
export const resubmittedField = "Resubmitted from";
export const creatorField = "Created by";
export const durationOfEstimate = (took: string, defaultValue: string) => `${took} of about ${defaultValue}`;
/** A condition of the run, such as an error of its metrics. */
export const condition = (type: string, message: string) => `${type}: ${message}`;
export const labelsHeading = "Labels";
export const resourcesHeading = "Resources";

// The menu of saved views

/** The button while a view is shown. */
export const currentButton = (view: string) => `View: ${view}`;
export const viewsLabel = "Saved views";
export const removeButton = (view: string) => `Remove the view ${view}`;
export const nameLabel = "Name of this view";
export const saveButton = "Save";
export const storageNote = "Views are stored in this browser; each is a link that you can share.";
