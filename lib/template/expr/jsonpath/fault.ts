/** A query that cannot be read, or that finds nothing where something must be. Filters and wildcards swallow it. */
export class PathFault extends Error {
  override name = "PathFault";
}

/** Gives up on this branch of the query. */
export function giveUp(reason: string): never {
  throw new PathFault(reason);
}
