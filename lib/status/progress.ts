/** `N/M`, as nodes and reports carry it. */

/** Counts of progress: all that is to do, and the part of it that is done. */
export interface Counts {
  readonly done: number;
  readonly total: number;
}

/** The progress of a node that has reported none. */
export const NO_PROGRESS = "0/1";

const PATTERN = /^(\d+)\/(\d+)$/;

/** Texts are few, and reading one costs more than looking it up. */
const READ = new Map<string, Counts>([["0/1", { done: 0, total: 1 }], ["1/1", { done: 1, total: 1 }]]);

/** Reads two numbers; undefined for what is none, or no text. */
export function countsOf(text: string | undefined): Counts | undefined {
  if (text === undefined) return undefined;
  const known = READ.get(text);
  if (known) return known;
  const match = PATTERN.exec(text);
  return match ? { done: Number(match[1]), total: Number(match[2]) } : undefined;
}

/** A well-formed progress: `N/M` with N ≤ M and M > 0. */
export function isProgress(text: string | undefined): text is string {
  const counts = countsOf(text);
  return counts !== undefined && counts.done <= counts.total && counts.total > 0;
}
