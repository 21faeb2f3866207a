/** Words of the sentence at the head of a run. */
import { grouped, listed, plural } from "../en.ts";

export const stopping = "Stopping: exit handlers still run";
export const terminating = "Terminating";
export const held = "Held: nothing new starts until it is resumed";
export const betweenSteps = "Between two steps";
export const notBegun = "Not begun: the controller has not looked at it yet";

/** Nodes at work, some by name and how many more; and the number of those that wait. */
export const atWork = (names: readonly string[], more: number, waiting: number) =>
  `${listed(names, more)} at work${waiting === 0 ? "" : `; ${grouped(waiting)} ${plural(waiting, "waits", "wait")}`}`;
export const aboutToStart = (names: readonly string[], more: number) => `${listed(names, more)} about to start`;
export const waitsFor = (node: string, reason: string) => `${node} waits: ${reason}`;
/** A node that waits for a person, with the values that it wants. */
export const waitsForYou = (node: string, values: readonly string[]) =>
  `${node} waits for you${values.length === 0 ? "" : ` to give ${values.join(", ")}`}`;
export const failedFirst = (node: string, reason: string) => `${node} failed first: ${reason}`;
export const succeeded = "Succeeded";
export const succeededIn = (duration: string) => `Succeeded in ${duration}`;
