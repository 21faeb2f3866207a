/** Texts of the page that lists runs: its header, keys, pages, and empty states. */
import { grouped } from "../en.ts";

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
