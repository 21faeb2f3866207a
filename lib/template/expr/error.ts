/** The one error of the expression language: what was tried, where, and what would be accepted. */

import { UserError } from "../../user_error.ts";
import { pointOut, type Position, positionOf } from "../place.ts";

/** The stage at which an expression failed: before it could run, or while running. */
export type Phase = "compile" | "run";

/** An expression that does not compile or does not run. */
export class ExpressionError extends UserError {
  override name = "ExpressionError";
  /** The reason alone, in the words Argo's users and tools match on. */
  readonly reason: string;
  readonly phase: Phase;
  readonly source: string;
  /** Undefined where no place can be named. */
  readonly position: Position | undefined;
  /** The words that would be accepted, or the nearest known name. */
  readonly hint: string | undefined;
  /** Whether it fails for all values: it exceeds the budget of a run, or calls a function that is not offered. */
  readonly exhausted: boolean;

  constructor(
    reason: string,
    at: { source: string; offset?: number; phase: Phase; hint?: string; exhausted?: boolean; cause?: unknown },
  ) {
    const position = at.offset === undefined ? undefined : positionOf(at.source, at.offset);
    super(describe(reason, at), { cause: at.cause });
    this.reason = reason;
    this.phase = at.phase;
    this.source = at.source;
    this.position = position;
    this.hint = at.hint;
    this.exhausted = at.exhausted ?? false;
  }
}

function describe(reason: string, at: { source: string; offset?: number; hint?: string }): string {
  const { source, offset, hint } = at;
  if (offset !== undefined) return pointOut(reason, { source, offset, hint });
  return hint === undefined ? reason : `${reason}: ${hint}`;
}
