/** Words of the last runs that were made from a template or by a schedule. */
import { grouped } from "../en.ts";

export const noneYet = "No runs were made from this yet.";
/** The row of bars, one for each run. */
export const durationsLabel = "Durations of the last runs, the newest on the right";
export const allLink = (total: number) => `All ${grouped(total)}`;
