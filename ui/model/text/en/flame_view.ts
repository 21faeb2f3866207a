/** Words of the flame of a run's critical path. */
import { grouped } from "../en.ts";

export const nearerButton = "Nearer in time";
export const fartherButton = "Farther in time";
/** Shows the whole time again. */
export const allButton = "All";
/** Causes of the time beside the stages of nodes. */
export const waitedForPerson = "waited for a person";
export const nothingRan = "nothing ran";
export const causeNotKnown = "not known";
export const causesLabel = "Causes of the time";
export const flameLabel = "Flame of the critical path: arrow keys walk, Enter brings a span nearer, 0 shows all";
/**
 * When a span began, and its part of the whole time; its causes, where it has several; and how much shorter the run would be
 * without it: `""` where it would be as long, undefined where that is not known.
 */
export const spanAbout = (share: string, after: string, causes: string, gain: string | undefined) =>
  [
    `${share}, after ${after}`,
    causes === "" ? "" : `: ${causes}`,
    gain === undefined ? "" : `; without it the run would be ${gain === "" ? "as long" : `${gain} shorter`}`,
  ].join("");
export const nodeButton = "Show the node";
export const shortSpansLabel = (count: number, share: string) => `${grouped(count)} short spans, ${share}`;
export const spanLabel = (name: string, duration: string, share: string) => `${name}, ${duration}, ${share}`;
