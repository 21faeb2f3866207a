/** Secondary ports of a program, which also works without them. */
import type { Log } from "../log.ts";

/** A port, and how to report that it is not available. */
export interface SecondaryPort {
  /** Names the service in the error message. */
  readonly what: string;
  readonly port: number;
  /** The setting that changes the port. */
  readonly setting: string;
  readonly log: Log;
}

/**
 * Serves at a port. If another program uses the port, or this process may not, an error with the setting is logged and
 * the result is undefined: workflows do not depend on it.
 */
export function serveIfAvailable<S>({ what, port, setting, log }: SecondaryPort, serve: () => S): S | undefined {
  try {
    return serve();
  } catch (error) {
    const isTaken = error instanceof Deno.errors.AddrInUse;
    if (!isTaken && !(error instanceof Deno.errors.PermissionDenied)) throw error;
    const reason = isTaken ? "another program listens there" : "this process may not listen there";
    log.error(`${what} cannot be served at port ${port}, as ${reason}: choose another port with ${setting}`);
    return undefined;
  }
}
