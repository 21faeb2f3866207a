/** The progress `N/M` in nodes and reports. */

/** The progress: the total amount of work, and the amount done. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The progress of a node without a reported one. */
export const NO_PROGRESS = "0/1";

const PATTERN = /^(\d+)\/(\d+)$/;

/** Cache of parsed texts, of which there are few. A lookup is cheaper than parsing. */
const progressCache = new Map<string, Progress>([["0/1", { done: 0, total: 1 }], ["1/1", { done: 1, total: 1 }]]);

/** Parses a progress; undefined for invalid text. */
export function parseProgress(text: string | undefined): Progress | undefined {
  if (text === undefined) return undefined;
  const known = progressCache.get(text);
  if (known) return known;
  const match = PATTERN.exec(text);
  return match ? { done: Number(match[1]), total: Number(match[2]) } : undefined;
}

/** Whether a progress is valid: `N/M` with N ≤ M and M > 0. */
export function isProgress(text: string | undefined): text is string {
  const counts = parseProgress(text);
  return counts !== undefined && counts.done <= counts.total && counts.total > 0;
}
