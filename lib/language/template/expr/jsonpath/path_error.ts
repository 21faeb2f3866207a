import { UserError } from "@tiphys/base/user_error";

/**
 * Error for a query that cannot be parsed or that finds nothing where a value is required. Filters and wildcards catch
 * it.
 */
export class PathError extends UserError {
  override name = "PathError";

  constructor(reason: string, readonly hint?: () => string) {
    super(reason);
  }
}

/** Fails this branch of the query. The hint is computed only if no filter or wildcard catches the error. */
export function failBranch(reason: string, hint?: () => string): never {
  throw new PathError(reason, hint);
}
