/** The one error of the expression language: what was tried, where, and what would be accepted. */

/** A place in an expression: UTF-16 offset, and line and column for people (both from 1, columns in characters). */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

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
    super(describe(reason, at.source, position, at.hint), { cause: at.cause });
    this.reason = reason;
    this.phase = at.phase;
    this.source = at.source;
    this.position = position;
    this.hint = at.hint;
  }
}

/** Line and column of an offset. */
export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
  return { offset, line, column };
}

function describe(reason: string, source: string, position: Position | undefined, hint: string | undefined): string {
  if (position === undefined) return hint === undefined ? reason : `${reason}: ${hint}`;
  const line = source.split("\n")[position.line - 1].replaceAll("\t", " ");
  const place = `${reason} (${position.line}:${position.column})`;
  if (line === "") return hint === undefined ? place : `${place}: ${hint}`;
  const caret = ".".repeat(position.column - 1) + "^";
  return `${place}\n | ${line}\n | ${caret}${hint === undefined ? "" : `\n ${hint}`}`;
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

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, previous[j] + 1, row[j - 1] + 1));
    }
    previous = row;
  }
  return previous[b.length];
}
