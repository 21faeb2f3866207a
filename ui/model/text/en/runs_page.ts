/** Words of the list of runs as a page: its head, its keys, its windows, a new run, and what is said where there is no run. */
import { grouped } from "../en.ts";

export const heading = "Runs";
export const newRunButton = "New run";
/** The button that lets in the runs that came while somebody looked at rows further down. */
export const heldRunsButton = (count: number) => `${grouped(count)} new ↑`;

export const findRunsAction = "Find runs";
export const nextRunAction = "Next run";
export const runBeforeAction = "Previous run";
export const selectRunAction = "Select or deselect the run";
export const lookAtRunAction = "Show details of the run";

/** The row of links to the windows of a long list. */
export const windowsLabel = "Windows of the list";
export const previousWindow = "Previous";
export const nextWindow = "Next";
/** The ways from windows to one list that is scrolled, and back. */
export const asOneList = "As one list";
export const inWindows = (rows: number) => `In windows of ${grouped(rows)}`;
/** The rows that are shown, of how many. */
export const windowShown = (first: number, last: number, total: number) =>
  `${grouped(first)} to ${grouped(last)} of ${grouped(total)}`;

/** A window that begins where the list is over by now. */
export const beyondTheEnd = (total: number) => `There is no such page: the list has ${grouped(total)} runs`;
export const firstWindow = "Show the first page";

/** Before a server that has one order only. */
export const sortedWithinWindow =
  "This server has one order, by start: what you chose puts the rows of this window in order, not all runs.";

/** The manifest of a new run, as an editor is called. */
export const manifestLabel = "Manifest of the run";

export const noneMeant = "No run matches these filters";
export const takeFiltersAway = "Remove one of them, or all.";
export const noRunsYet = "No runs yet";
/** What a run is, before the line of a terminal that starts one. */
export const aboutRuns = "A run does the steps of a workflow, each in a container. Start one here, or in a terminal:";
/** Starts an example at once. */
export const helloWorldButton = "Run hello-world";
