/** Texts of the list of a long loop, next to the graph. */
import { grouped } from "../en.ts";

export const listLabel = (name: string) => `Items of ${name}`;
export const filterField = "Filter items";
export const phasesLabel = "Phases";
export const shownOf = (shown: number, all: number) => `${grouped(shown)} of ${grouped(all)}`;
export const unfoldButton = "Show in the graph";
export const noneMatches = "No item matches. Change the filter.";
