/** Words of what a run would gain, had a part of it taken no time. */
import { grouped, plural } from "../en.ts";

/** The head of the column. */
export const gainHead = "Without it";
export const gainHeadTitle =
  "How much shorter the run would be if this took no time; what else runs beside it may take over";
/** A gain in its column. */
export const gainCell = (duration: string) => `−${duration}`;
export const noGainCell = "no gain";

/** The line about the node that is chosen, behind its name. */
export const chosenGain = (duration: string) => `If this took no time, the run would be ${duration} shorter.`;
export const chosenNoGain = "If this took no time, the run would be as long: something else takes the time beside it.";

/** Which rows have a gain where there are too many to ask each. */
export const gainOfLongest = (count: number) =>
  `The gain is told of the ${plural(count, "longest", `${grouped(count)} longest`)}.`;
