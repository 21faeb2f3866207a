import { UserError } from "../../../user_error.ts";

/** A query that cannot be read, or that finds nothing where something must be. Filters and wildcards swallow it. */
export class PathFault extends UserError {
  override name = "PathFault";

  constructor(reason: string, readonly hint?: () => string) {
    super(reason);
  }
}

/** Gives up on this branch of the query. The hint is asked for only where nothing swallows it. */
export function giveUp(reason: string, hint?: () => string): never {
  throw new PathFault(reason, hint);
}
