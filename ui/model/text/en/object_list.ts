/** Texts of the lists of templates and schedules: search, filters, and latest runs. */
import { grouped } from "../en.ts";

export const findField = "Find by name";
export const labelField = "Label, for example team=data";
export const chipsLabel = "Filters";
export const removeButton = (text: string) => `Remove the filter ${text}`;
export const statesLabel = "States";
export const lastRunsField = "Last runs";
/** The screen-reader text of one run in a row. */
export const runLabel = (name: string, state: string) => `${name}, ${state}`;
export const shownOf = (shown: number, all: number) =>
  shown === all ? grouped(all) : `${grouped(shown)} of ${grouped(all)}`;
export const noneFound = "No results";
export const showAllButton = "Show all";
export const failing = "Failing";
