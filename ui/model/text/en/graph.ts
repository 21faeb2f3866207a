/** Words of the graph of a run: its tools, what it is to who does not see it, and the lines below its parts. */
import { grouped, plural } from "../en.ts";

/** What the graph is, and the keys that move in it. */
export const graphLabel = (parts: number) =>
  `Graph, ${grouped(parts)} ${
    plural(parts, "part", "parts")
  }. Arrow keys walk along edges, Enter opens a part, Space folds it.`;

export const toolsLabel = "View of the graph";
export const nearerButton = "Nearer";
export const fartherButton = "Farther";
/** Shows all of the graph. */
export const fitButton = "Fit";
/** Shows parts in their own size. */
export const fullSizeButton = "100 %";

/** The line of a part that has not begun and has no template. */
export const plannedPart = "planned";
/** The line of a part that was tried several times, with how it stands. */
export const triedSeveralTimes = (state: string, attempts: number) => `${state}, ${attempts} attempts`;
/** A part to who does not see it, where its colour tells more than its phase. */
export const tintedPart = (part: string, colour: string) => `${part}, ${colour}`;
