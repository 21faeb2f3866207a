/** The error of the expression language: the reason, the place, and the accepted tokens. */

import { UserError } from "@tiphys/base/user_error";
import { messageWithCaret, type Position, positionOf } from "../place.ts";

/** The stage at which an expression failed: compiling or running. */
export type Phase = "compile" | "run";

/** Error for an expression that does not compile or fails while running. */
export class ExpressionError extends UserError {
  override name = "ExpressionError";
  /** The reason alone, in Argo's words, because users and tools match on it. */
  readonly reason: string;
  readonly phase: Phase;
  readonly source: string;
  /** Undefined if the place is not known. */
  readonly position: Position | undefined;
  /** The accepted tokens, or the nearest known name. */
  readonly hint: string | undefined;
  /** Whether it fails for all values: it exceeds the budget of a run, or calls a function that is not available. */
  readonly isExhausted: boolean;

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
    this.isExhausted = at.exhausted ?? false;
  }
}

function describe(reason: string, failure: { source: string; offset?: number; hint?: string }): string {
  const { source, offset, hint } = failure;
  if (offset !== undefined) return messageWithCaret(reason, { source, offset, hint });
  return hint === undefined ? reason : `${reason}: ${hint}`;
}
