/** Words of what a screen reader says of a node. */
import { grouped, plural } from "../en.ts";

export const itemsUnknown = "items not known yet";
export const itemCount = (count: number) => `${grouped(count)} ${plural(count, "item", "items")}`;
export const attemptCount = (count: number) => `${grouped(count)} ${plural(count, "attempt", "attempts")}`;
/** The last attempt at a node, of those that were made; the one under way. */
export const attemptOf = (all: number) => `attempt ${grouped(all)} of ${grouped(all)}`;
export const attemptNumber = (attempt: number) => `attempt ${grouped(attempt)}`;
export const exitOf = (code: string) => `exit ${code}`;
/** How many nodes are in a phase. */
export const countOf = (count: number, phase: string) => `${grouped(count)} ${phase}`;
/** The most urgent of nodes, and how many there are. */
export const ofAll = (urgent: string, all: number) => `${urgent} of ${grouped(all)}`;

/** The plan of a retry of a run in which no node did work yet. */
export const beginsAnew = "No node ran yet: the run begins anew.";
/** The leaves of a part of a manifest. */
export const partCount = (count: number) => `${grouped(count)} ${plural(count, "part", "parts")}`;
