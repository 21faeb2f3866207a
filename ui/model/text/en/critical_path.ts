/** Texts of the critical path of a run: its panel, its flame graph, and what a change would save. */
import { grouped, plural } from "../en.ts";

// The panel that shows the critical path

export const label = "Where the time went";
export const nothingRanYet = "Nothing has run yet. The path appears when the first node has started.";
/** Opens a table with the content of the flame graph. */
export const asTable = "As a table";
export const nodeField = "Node";
/** The groups that contain a node. */
export const enclosingGroupsField = "Within";
/** Time since the start of the run. */
export const afterField = "After";
export const timeField = "Time";
export const shareField = "Share";
export const causesField = "Causes";
export const totalRow = "Total";
/** The total when some rows are not shown. */
export const totalRowWithMore = (more: number) => `Total, with ${grouped(more)} more`;

// The flame graph of a run's critical path

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

// A run without one of its parts

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
