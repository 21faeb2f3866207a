/** Texts of the number of search results. */
import { grouped } from "../en.ts";

export const noneFound = "none";
/** The position of the selected result. */
export const foundOf = (place: number, all: number) => `${grouped(place)} of ${grouped(all)}`;
