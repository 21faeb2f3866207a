/** Words of the editor of a manifest. */
import { plural } from "../en.ts";

export const noProblems = "No problems";
export const problemsLabel = "Problems";
export const problemsHeading = (count: number) => `${count} ${plural(count, "problem", "problems")}`;
