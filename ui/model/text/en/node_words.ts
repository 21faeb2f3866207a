/** Texts that screen readers read about a node. */
import { grouped, plural } from "../en.ts";

export const itemsUnknown = "items not known yet";
export const itemCount = (count: number) => `${grouped(count)} ${plural(count, "item", "items")}`;
export const attemptCount = (count: number) => `${grouped(count)} ${plural(count, "attempt", "attempts")}`;
/** The last of several attempts, and the running one. */
export const attemptOf = (all: number) => `attempt ${grouped(all)} of ${grouped(all)}`;
export const attemptNumber = (attempt: number) => `attempt ${grouped(attempt)}`;
export const exitOf = (code: string) => `exit ${code}`;
/** The number of nodes in a phase. */
export const countOf = (count: number, phase: string) => `${grouped(count)} ${phase}`;
/** The count of the most urgent nodes, and of all. */
export const countOfAll = (urgent: string, all: number) => `${urgent} of ${grouped(all)}`;

/** The plan of a retry of a run in which no node has run. */
export const startsFromScratch = "No node has run yet: the run starts from scratch.";
/** The number of fields in a part of a manifest. */
export const partCount = (count: number) => `${grouped(count)} ${plural(count, "part", "parts")}`;
