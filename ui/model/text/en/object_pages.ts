/** Texts that the pages of templates and cron workflows share. */
import { grouped } from "../en.ts";

// Tabs and manifests

export const summaryTab = "Summary";
export const graphTab = "Graph";
export const manifestTab = "Manifest";
export const metadataTab = "Metadata";
export const lastRunsTab = "Last runs";
export const stepsTab = "Steps";
/** The name of the text of an object's manifest. */
export const manifestOf = (name: string) => `Manifest of ${name}`;
export const saveButton = "Save";
export const createButton = "Create";

// The lists of templates and schedules

export const findField = "Find by name";
export const labelField = "Label, for example team=data";
export const chipsLabel = "Filters";
export const removeButton = (text: string) => `Remove the filter ${text}`;
export const statesLabel = "States";
export const lastRunsField = "Last runs";
/** The screen-reader text of one run in a row. */
export const runLabel = (name: string, state: string) => `${name}, ${state}`;
export const shownOf = (shown: number, all: number) =>
  shown === all ? grouped(all) : `${grouped(shown)} of ${grouped(all)}`;
export const noneFound = "No results";
export const showAllButton = "Show all";
export const failing = "Failing";

// The states of a schedule

export const stoppedState = "Stopped";
export const suspendedState = "Suspended";
export const active = "Active";

// Problems of a manifest, or of a file that may be one

export const emptyText = "Expected a manifest, the text is empty";
export const severalManifests = (count: number) => `Expected one manifest, found ${count}`;
export const lineProblem = (line: number, problem: string) => `Line ${line}: ${problem}`;
export const fileTooLarge = (name: string, megabytes: string) =>
  `${name} has ${megabytes} MB: the largest manifest that a cluster accepts has 2 MB`;

// The result of a dry run

export const areaLabel = "Dry run";
export const nothingCreated = "The server would create this; nothing was created.";
export const closeButton = "Close the dry run";
export const manifestLabel = "Manifest of the dry run";

// The deletion of a template, a schedule, an event source or a sensor

export const askDeleteButton = "Delete…";
export const deleteTitle = (name: string) => `Delete ${name}?`;
export const ofTemplate = "Existing runs are kept. New runs that refer to it fail.";
export const ofSchedule = "It starts no more runs. Its runs are deleted too, also the running ones.";
export const ofEvents = "Existing runs are kept. It no longer handles events.";
export const deleteNamedButton = (name: string) => `Delete ${name}`;
/** Shown while a deletion can be undone. */
export const willBeDeleted = (name: string) => `${name} will be deleted.`;
