/** Texts of the sentence at the head of a run. */
import { grouped, listed } from "../en.ts";

export const stopping = "Stopping: exit handlers run";
export const terminating = "Terminating";
export const held = "Suspended: no new steps start until you resume it";
export const betweenSteps = "Starting the next step";
export const notStarted = "Pending: the controller has not started it yet";

/** Running nodes, some by name, and the number of further ones; and the number of pending ones. */
export const running = (names: readonly string[], more: number, waiting: number) =>
  `${listed(names, more)} running${waiting === 0 ? "" : `; ${grouped(waiting)} pending`}`;
export const aboutToStart = (names: readonly string[], more: number) => `${listed(names, more)} pending`;
export const waitsFor = (node: string, reason: string) => `${node} waits: ${reason}`;
/** A node that waits for a person, with the values that it requires. */
export const waitsForYou = (node: string, values: readonly string[]) =>
  values.length === 0 ? `${node} waits for your approval` : `${node} waits for a value from you: ${values.join(", ")}`;
export const failedAlone = (node: string, reason: string) => `${node} failed: ${reason}`;
export const failedFirst = (node: string, reason: string) => `${node} failed first: ${reason}`;
export const succeeded = "Succeeded";
export const succeededIn = (duration: string) => `Succeeded in ${duration}`;
