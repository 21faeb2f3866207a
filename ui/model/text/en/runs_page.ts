/** Texts of the list of runs that load with it: its header, filters and table. The others are in `after_list.ts`. */
import { grouped } from "../en.ts";

// The page that lists runs

export const heading = "Runs";
export const columnsButton = "Columns";
export const viewsButton = "Views";
export const newRunButton = "New run";
/** Shows runs that arrived while the user was reading rows further down. */
export const heldRunsButton = (count: number) => `${grouped(count)} new ↑`;

export const findRunsAction = "Find runs";
export const nextRunAction = "Next run";
export const runBeforeAction = "Previous run";
export const selectRunAction = "Select or deselect the run";
export const lookAtRunAction = "Show details of the run";

/** The links to the pages of a long list. */
export const windowsLabel = "Pages of the list";
export const previousWindow = "Previous";
export const nextWindow = "Next";
/** Switch between pages and one scrolling list. */
export const oneListLink = "As one list";
export const pagesLink = (rows: number) => `Pages of ${grouped(rows)}`;
/** The rows that are shown, and the total. */
export const windowShown = (first: number, last: number, total: number) =>
  `${grouped(first)} to ${grouped(last)} of ${grouped(total)}`;

/** Shown when a page starts after the end of the list. */
export const noSuchPage = (total: number) => `There is no such page: the list has ${grouped(total)} runs`;
export const firstWindow = "Show the first page";

/** Shown when the server supports only one order. */
export const sortedWithinWindow =
  "This server sorts by start only: the selected order applies to this page, not to all runs.";

// The table of runs

export const selectAll = "Select all rows";
export const select = (run: string) => `Select ${run}`;
/** The source of a run (template, schedule, event binding or run), and the person who created it. */
export const sourceField = "Source";
export const creatorField = "Created by";
export const archivedBadge = "archived";
export const moreColumn = "More";
export const menuButton = (run: string) => `Actions of ${run}`;
/** The progress of a run that succeeded without reporting all of it. */
export const progressDone = "done";
export const progressLabel = (done: number, all: number) => `${done} of ${all} nodes`;

// The filters above a list of runs

export const filterLabel = "Filter runs: part of a name, phase:failed, label:team=a, after:2026-03-28, before:2h";
export const filterExample = "Part of a name, phase:failed, label:team=a, after:2h";
export const phasesLabel = "Phases";
export const orderLabel = "Order";
export const chipsLabel = "Filters";
export const removeButton = (filter: string) => `Remove the filter ${filter}`;

// Sort orders, and active filters

export const newestStartOrder = "Newest first";
export const oldestStartOrder = "Oldest first";
export const newestEndOrder = "Finished last";
export const oldestEndOrder = "Finished first";
export const longestOrder = "Longest first";
export const shortestOrder = "Shortest first";
export const nameOrder = "Name, A to Z";
export const nameBackwardsOrder = "Name, Z to A";

export const phaseChip = (phase: string) => `phase: ${phase}`;
/** A filter by an unknown phase. */
export const unknownPhaseChip = (chip: string) => `${chip}: not a phase, ignored`;
export const labelChip = (label: string) => `label: ${label}`;
export const nameContainsChip = (text: string) => `name contains ${text}`;
export const nameBeginsChip = (text: string) => `name begins with ${text}`;
export const nameIsChip = (text: string) => `name is ${text}`;
export const nameIsNotChip = (text: string) => `name is not ${text}`;
export const createdAfterChip = (moment: string) => `created after ${moment}`;
export const startedFromChip = (moment: string) => `started from ${moment}`;
export const startedUntilChip = (moment: string) => `started until ${moment}`;
/** A filter by a time that cannot be parsed. */
export const invalidTimeChip = (chip: string) => `${chip}: not a time, ignored`;
export const finishedBeforeChip = (moment: string) => `finished before ${moment}`;
