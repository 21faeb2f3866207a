import { UserError } from "@tiphys/base/user_error";
import { DecodeError, DurationError, JsonError, TimeParseError, ZoneError } from "@tiphys/base/go";

/** A failure at run time whose place is not yet known. */
export class RunFailure extends UserError {
  override name = "RunFailure";

  constructor(reason: string, readonly hint?: string) {
    super(reason);
  }
}

/** Failure of a run that exceeded its budget. */
export class BudgetFailure extends RunFailure {
  override name = "BudgetFailure";
}

/** Failure of a call to a function that Argo has and Tiphys does not. */
export class UnavailableFunctionFailure extends RunFailure {
  override name = "UnavailableFunctionFailure";
}

/** Ends the run with Go's message and, if available, a hint. */
export function fail(reason: string, hint?: string): never {
  throw new RunFailure(reason, hint);
}

/** Runs a conversion of one of Go's notations. Its errors become failures of the run. */
export function asRunFailure<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (NOTATION_ERRORS.some((kind) => error instanceof kind)) fail((error as Error).message);
    throw error;
  }
}

const NOTATION_ERRORS = [DecodeError, DurationError, JsonError, TimeParseError, ZoneError];
