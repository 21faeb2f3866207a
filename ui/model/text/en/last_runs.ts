/** Texts of the latest runs of a template or schedule. */
import { grouped } from "../en.ts";

export const noneYet = "No runs yet. Start one with the first button on this page.";
/** The row of bars, one for each run. */
export const durationsLabel = "Durations of the last runs, the newest on the right";
export const allLink = (total: number) => `All ${grouped(total)}`;
