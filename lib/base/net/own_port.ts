/** Ports that a program serves beside its work: it works also where one of them cannot be had. */
import type { Log } from "../log.ts";

/** A port, and what an administrator is told where it cannot be had. */
export interface OwnPort {
  /** The thing that is served there. */
  readonly what: string;
  readonly port: number;
  /** The setting that names another port. */
  readonly setting: string;
  readonly log: Log;
}

/**
 * Serves at a port. One that another program has, or that this process may not have, is told of with the setting, and not
 * served: workflows do not wait for that.
 */
export function atOwnPort<S>({ what, port, setting, log }: OwnPort, serve: () => S): S | undefined {
  try {
    return serve();
  } catch (error) {
    const isTaken = error instanceof Deno.errors.AddrInUse;
    if (!isTaken && !(error instanceof Deno.errors.PermissionDenied)) throw error;
    const reason = isTaken ? "another program listens there" : "this process may not listen there";
    log.error(`${what} cannot be served at port ${port}, as ${reason}: name another one with ${setting}`);
    return undefined;
  }
}
