/** Texts of the graph of a run or a template. */
import { grouped, plural } from "../en.ts";

// The graph of a run

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
/** Second line of a part with more attempts than it has marks, with its state. */
export const attemptsPart = (state: string, attempts: number) => `${state}, ${attempts} attempts`;
/** Screen-reader text of a part whose color shows more than its phase. */
export const tintedPart = (part: string, colour: string) => `${part}, ${colour}`;

// The menu that selects parts of a graph, and its filters

export const partsButton = "Parts";
export const artifactsChoice = "Artifacts";
export const groupsChoice = "One part for each template";
export const phasesHeading = "Phases";
export const typesHeading = "Types";
export const templatesHeading = "Templates";
export const allButton = "Show all";

export const chipsLabel = "Parts that are shown";
export const phasesFilter = "phases";
export const typesFilter = "types";
export const templatesFilter = "templates";
export const textFilter = "text";
export const chip = (filter: string, values: string) => `${filter}: ${values}`;
export const removeButton = (filter: string, values: string) => `Remove the filter ${filter}: ${values}`;

// The colors of a graph

export const cpuTime = (duration: string) => `${duration} CPU`;
/** The upper limit of a shade. */
export const upTo = (measure: string) => `≤ ${measure}`;
/** Names that share one color. */
export const otherNames = (count: number) => `${count} others`;

// The worker that lays out large graphs

export const threadFailed = (reason: string) => `The graph worker failed: ${reason}`;

// The file formats that a graph is saved as

export const svgButton = "SVG";
export const pngButton = "PNG";
export const mermaidButton = "Mermaid";

// The number of search results

export const noneFound = "none";
/** The position of the selected result. */
export const foundOf = (index: number, all: number) => `${grouped(index)} of ${grouped(all)}`;

// Filters that match no part

export const noPartMatches = "No part matches. Remove a filter, or choose others under Parts.";
export const noFailedMatches = "No failed part matches. Press f to see all parts, or remove a filter.";
export const nothingFailed = "Nothing failed. Press f to see everything again.";

// The stages of a node, in the past tense

export const waited = "waited for a machine";
export const pulled = "pulled images";
export const madeReady = "prepared";
export const ran = "ran";
export const savedOutputs = "saved outputs";
export const paused = "paused";
