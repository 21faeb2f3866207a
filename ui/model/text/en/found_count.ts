/** Words on what was found. */
import { grouped } from "../en.ts";

export const noneFound = "none";
/** Which of the found ones is chosen. */
export const foundOf = (place: number, all: number) => `${grouped(place)} of ${grouped(all)}`;
