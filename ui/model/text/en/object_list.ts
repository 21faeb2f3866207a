/** Words of the lists of what runs are made from: how they are found, and their last runs. */
import { grouped } from "../en.ts";

export const findField = "Find by name";
export const labelField = "Label, as team=data";
export const chipsLabel = "Filters";
export const removeButton = (text: string) => `Remove the filter ${text}`;
export const statesLabel = "States";
export const lastRunsField = "Last runs";
/** The runs of a row, for who does not see their bars. */
export const runIs = (name: string, state: string) => `${name}, ${state}`;
export const shownOf = (shown: number, all: number) =>
  shown === all ? grouped(all) : `${grouped(shown)} of ${grouped(all)}`;
export const noneFound = "No results";
export const showAllButton = "Show all";
export const failing = "Failing";
