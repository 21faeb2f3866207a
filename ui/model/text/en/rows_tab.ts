/** Texts of the nodes of a run as rows: the tree, the timeline, and the list of a long loop. */
import { grouped } from "../en.ts";

// The nodes of a run as rows

export const reading = "Reading the nodes …";
export const nothingStartedYet =
  "Nothing has started yet. Nodes appear here when they start. Choose Why to see what they wait for.";
export const zoomInButton = "Zoom in";
export const zoomOutButton = "Zoom out";
/** Shows the whole time span. */
export const allButton = "All";
export const zoomToNodeButton = "Zoom to the selected node";
/** The colors of the stages of a bar. */
export const stagesLabel = "Stages of a bar";
export const schedulingStage = "Scheduling";
export const imagePullStage = "Image pull";
export const startingStage = "Starting";
export const runningStage = "Running";
export const savingStage = "Saving outputs";
/** The pause before the next attempt. */
export const backoffStage = "Retry backoff";

// The tree and the timeline of nodes

export const nodeColumn = "Node";
export const templateColumn = "Template";
export const timelineLabel = "Timeline of nodes";
export const treeLabel = "Tree of nodes";
/** The screen-reader text of a node. */
export const nodeLabel = (phase: string, name: string, children: number | undefined) =>
  `${phase} ${name}${children === undefined ? "" : ` ×${grouped(children)}`}`;
/** The children of a group. */
export const fanOut = (children: number, failed: number) =>
  `×${grouped(children)}${failed > 0 ? `, ${grouped(failed)} failed` : ""}`;
/** The screen-reader text of a node's bar, with the stages of its time if known. */
export const barLabel = (phase: string, duration: string, stages: string | undefined) =>
  `${phase} ${duration}${stages === undefined ? "" : `: ${stages}`}`;

// The list of a long loop, next to the graph

export const listLabel = (name: string) => `Items of ${name}`;
export const filterField = "Filter items";
export const phasesLabel = "Phases";
export const shownOf = (shown: number, all: number) => `${grouped(shown)} of ${grouped(all)}`;
export const unfoldButton = "Show in the graph";
export const noneMatches = "No item matches. Change the filter.";
