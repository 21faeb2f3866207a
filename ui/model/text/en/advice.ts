/** Texts of the advice about a run. */
import { listed, plural } from "../en.ts";

// The advice about a run

export const deadline = "No time limit: a step that hangs runs until you stop it";
export const ttl = "The workflow stays in the cluster until somebody deletes it; the archive can keep it instead";
export const pods = "Its pods stay as long as the workflow does, and use disk space and memory of the API server";
export const root = "Its containers run as the user of their images, which is root for most images";
/** Templates that request no memory: some by name, and how many more. */
export const requests = (names: readonly string[], more: number) =>
  `${listed(names, more)} ${
    plural(names.length + more, "requests", "request")
  } no memory: pods may be scheduled to full nodes, and are evicted first`;

// The list of advice about a run

export const heading = "Advice";
export const dismissLabel = (advice: string) => `Dismiss: ${advice}`;
export const showDismissed = (count: number) => `Show ${count} dismissed`;
export const defaultsNote = "The controller may set defaults for all runs.";
