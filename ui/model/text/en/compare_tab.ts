/** Texts of the comparison of a run with an earlier one. */
import { grouped } from "../en.ts";

// The comparison of a run with an earlier one

export const label = "Comparison";
export const searchingRuns = "Looking for runs to compare with …";
export const noOtherRun =
  "There is no other run of this workflow. To compare, resubmit this run. Runs are grouped by template, schedule or the first part of their name.";
export const comparedWithField = "Compared with";
export const chooseRun = "choose a run";
/** A run to compare with: its phase and its start. */
export const offeredRun = (name: string, phase: string, began: string) => `${name}, ${phase}, ${began}`;
/** The run that this one was resubmitted from. */
export const originalRun = (name: string, phase: string, began: string) => `${name}, ${phase}, ${began}, the original`;
export const runNotFound = (count: number) =>
  `The run of this link is not among the last ${count} of this workflow: choose another.`;
export const reading = (name: string) => `Reading ${name} …`;

export const notEnded = "One of the two runs has not finished.";
export const sameDuration = (other: string) => `Same duration as ${other}.`;
export const longerThan = (by: string, other: string) => `${by} longer than ${other}.`;
export const shorterThan = (by: string, other: string) => `${by} shorter than ${other}.`;
export const noOtherDifferences = "Nothing else differs.";
export const tooLarge = (max: number) => `A comparison of more than ${grouped(max)} parts is not drawn.`;

export const beforeField = "Before";
export const nowField = "Now";
/** Shown instead of a value that one of the two runs does not have. */
export const noValue = "none";
export const templatesHeading = "Templates";
/** Fields of the manifest other than templates and arguments. */
export const fieldsHeading = "Manifest";
export const nodesHeading = "Nodes";
export const nodeField = "Node";
export const timeField = "Time";
export const outputsField = "Outputs";
/** Shown instead of a node that one of the two runs does not have. */
export const noNode = "missing";
export const moreNodes = (count: number, other: string) =>
  `and ${grouped(count)} more with smaller differences from ${other}`;

// The graph that compares two runs

export const legendLabel = "Colors and symbols of the graph";
export const same = "the same";
export const changed = "changed";
export const onlyIn = (run: string) => `only in ${run}`;
