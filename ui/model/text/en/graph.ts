/** Texts of the graph of a run: its tools, its screen-reader label, and the second lines of its parts. */
import { grouped, plural } from "../en.ts";

/** Describes the graph and the keys that move in it. */
export const graphLabel = (parts: number) =>
  `Graph, ${grouped(parts)} ${
    plural(parts, "part", "parts")
  }. Arrow keys move along edges, Enter opens a part, Space folds it.`;

export const toolsLabel = "View of the graph";
export const zoomInButton = "Zoom in";
export const zoomOutButton = "Zoom out";
/** The current zoom. */
export const zoomLabel = "Zoom";
export const zoomText = (percent: number) => `${grouped(percent)} %`;
/** Fits the whole graph into the view. */
export const fitButton = "Fit";
/** Shows parts at their full size. */
export const fullSizeButton = "1:1";

/** Second line of a part that has not started and has no template. */
export const plannedPart = "planned";
/** Second line of a part with several attempts, with its state. */
export const attemptsPart = (state: string, attempts: number) => `${state}, ${attempts} attempts`;
/** Screen-reader text of a part whose color shows more than its phase. */
export const tintedPart = (part: string, colour: string) => `${part}, ${colour}`;
