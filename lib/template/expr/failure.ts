/** A failure while running, before the place it happened at is known. */
export class RunFailure extends Error {
  override name = "RunFailure";
}

/** Ends the run with Go's words for what went wrong. */
export function fail(reason: string): never {
  throw new RunFailure(reason);
}
