/** Texts of how much shorter a run would be without one of its parts. */
import { grouped, plural } from "../en.ts";

/** The header of the column. */
export const gainHead = "Without it";
export const gainHeadTitle =
  "How much shorter the run would be if this took no time, given the work that runs in parallel";
/** A gain in its column. */
export const gainCell = (duration: string) => `−${duration}`;
export const noGainCell = "no gain";

/** The line about the selected node, after its name. */
export const gainOfSelected = (duration: string) => `If this took no time, the run would be ${duration} shorter.`;
export const noGainOfSelected =
  "If this took no time, the run would not be shorter: other work takes as long in parallel.";

/** Shown when there are too many rows to compute the gain of each. */
export const gainOfLongest = (count: number) =>
  `The gain is shown for the ${plural(count, "longest", `${grouped(count)} longest`)}.`;
