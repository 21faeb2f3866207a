import { UserError } from "../../user_error.ts";
import { DecodeError, DurationError, JsonError, TimeParseError, ZoneError } from "../../go/mod.ts";

/** A failure while running, before the place it happened at is known. */
export class RunFailure extends UserError {
  override name = "RunFailure";

  constructor(reason: string, readonly hint?: string) {
    super(reason);
  }
}

/** A run that asked for more than one run may use. */
export class BudgetFailure extends RunFailure {
  override name = "BudgetFailure";
}

/** A call of a function that Argo offers and Tiphys does not. */
export class NotOfferedFailure extends RunFailure {
  override name = "NotOfferedFailure";
}

/** Ends the run with Go's words for what went wrong, and what would help where that can be said. */
export function fail(reason: string, hint?: string): never {
  throw new RunFailure(reason, hint);
}

/** Runs something that reads or writes one of Go's notations; its errors become failures of the run. */
export function orFail<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (NOTATION_ERRORS.some((kind) => error instanceof kind)) fail((error as Error).message);
    throw error;
  }
}

const NOTATION_ERRORS = [DecodeError, DurationError, JsonError, TimeParseError, ZoneError];
