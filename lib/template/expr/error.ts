/** The one error of the expression language: what was tried, where, and what would be accepted. */

import { pointOut, type Position, positionOf } from "../place.ts";

/** When an expression failed: before it could run, or while running. */
export type Phase = "compile" | "run";

/** An expression that does not compile or does not run. */
export class ExpressionError extends Error {
  override name = "ExpressionError";
  /** The reason alone, in the words Argo's users and tools match on. */
  readonly reason: string;
  readonly phase: Phase;
  readonly source: string;
  /** Undefined where no place can be named. */
  readonly position: Position | undefined;
  /** What would be accepted, or the nearest known name. */
  readonly hint: string | undefined;

  constructor(
    reason: string,
    at: { source: string; offset?: number; phase: Phase; hint?: string; cause?: unknown },
  ) {
    const position = at.offset === undefined ? undefined : positionOf(at.source, at.offset);
    super(describe(reason, at), { cause: at.cause });
    this.reason = reason;
    this.phase = at.phase;
    this.source = at.source;
    this.position = position;
    this.hint = at.hint;
  }
}

function describe(reason: string, at: { source: string; offset?: number; hint?: string }): string {
  const { source, offset, hint } = at;
  if (offset !== undefined) return pointOut(reason, { source, offset, hint });
  return hint === undefined ? reason : `${reason}: ${hint}`;
}

/** The known name nearest to a mistyped one, undefined where none is near enough to be meant. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters to change, add, drop or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1, isSwapped ? before[j - 2] + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
