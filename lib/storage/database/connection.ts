/** Connections to a server: the login, from secrets or by tokens, the limits of a pool of them, and the dialect made of both. */
import type { Dialect } from "kysely";
import type { Clock } from "@tiphys/base/clock";

/** A user and a password, read from secrets. */
export interface Login {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Gives what stands for a password; asked once for each connection that is opened, and not for those that are there. */
  readonly token?: (() => Promise<string>) | undefined;
}

/** The limits of a pool of connections: their number, and the times for which they are kept. */
export interface Pool {
  readonly maxOpen: number;
  /** The time for which an unused connection is kept, seconds. */
  readonly idleSeconds: number;
  /** The longest time for which a connection is kept, seconds; without limit when undefined. */
  readonly lifeSeconds: number | undefined;
  readonly connectTimeoutSeconds: number;
}

/** The limits, the clock and the end of a pool of connections. */
export interface PoolWorld {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Closes the connections that somebody still holds, too; without it the end of a pool waits for them. */
  readonly stop: AbortSignal;
}

/** Dialects over one pool. */
export interface Dialects {
  readonly usual: Dialect;
  /**
   * For work that may take too long: when the signal is aborted the connection that the work holds is closed, whatever is
   * asked over it, and it gets no other. Undefined where a query is over when it returns.
   */
  readonly until?: (signal: AbortSignal) => Dialect;
}

/** Makes what kysely speaks to a database with; its library is loaded here. */
export type MakeDialects = (login: Login, world: PoolWorld) => Promise<Dialects>;
