/** Words of the comparison of a run with one before it. */
import { grouped } from "../en.ts";

export const label = "Comparison";
export const looking = "Looking for runs to compare with …";
export const noOtherRun =
  "There is no other run of this workflow: a template, a schedule or the beginning of the name tells which belong together.";
export const comparedWithField = "Compared with";
export const chooseRun = "choose a run";
/** A run that can be compared with: how it ended, and when it began. */
export const offeredRun = (name: string, phase: string, began: string) => `${name}, ${phase}, ${began}`;
/** The same of the one that was submitted again. */
export const originalRun = (name: string, phase: string, began: string) => `${name}, ${phase}, ${began}, the original`;
export const notAmongLast = (count: number) =>
  `The run of this link is not among the last ${count} of this workflow: choose another.`;
export const reading = (name: string) => `Reading ${name} …`;

export const notEnded = "One of both has not ended.";
export const asLongAs = (other: string) => `As long as ${other}.`;
export const longerThan = (by: string, other: string) => `${by} longer than ${other}.`;
export const shorterThan = (by: string, other: string) => `${by} shorter than ${other}.`;
export const nothingElse = "Nothing else differs.";
export const tooLarge = (most: number) => `A graph of more than ${grouped(most)} parts is not drawn of two runs.`;

export const beforeField = "Before";
export const nowField = "Now";
/** In place of a value that one of both was not given. */
export const noValue = "none";
export const templatesHeading = "Templates";
/** Fields of the manifest outside its templates and arguments. */
export const fieldsHeading = "Manifest";
export const nodesHeading = "Nodes";
export const nodeField = "Node";
export const timeField = "Time";
export const outputsField = "Outputs";
/** In place of a node that one of both has not. */
export const noNode = "not there";
export const moreNodes = (count: number, other: string) => `and ${grouped(count)} more that differ less from ${other}`;
