/** Texts of the flame graph of a run's critical path. */
import { grouped } from "../en.ts";

export const zoomInButton = "Zoom in";
export const zoomOutButton = "Zoom out";
/** Shows the whole time span. */
export const allButton = "All";
/** Causes of time that no stage of a node explains. */
export const waitedForPerson = "waited for a person";
export const nothingRan = "nothing ran";
export const unknownCause = "unknown";
export const causesLabel = "Causes of the time";
export const flameLabel = "Flame graph of the critical path: arrow keys move, Enter zooms in on a span, 0 shows all";
/**
 * The share and start of a span, its causes if it has several, and how much shorter the run would be without it. `gain`
 * is empty if the run would not be shorter, and undefined if unknown.
 */
export const spanAbout = (share: string, after: string, causes: string, gain: string | undefined) =>
  [
    `${share}, after ${after}`,
    causes === "" ? "" : `: ${causes}`,
    gain === undefined ? "" : `; without it the run would be ${gain === "" ? "as long" : `${gain} shorter`}`,
  ].join("");
export const nodeButton = "Show node";
export const shortSpansLabel = (count: number, share: string) => `${grouped(count)} short spans, ${share}`;
export const spanLabel = (name: string, duration: string, share: string) => `${name}, ${duration}, ${share}`;
