/** Connections to a server: the login, the limits of a pool, and the kysely dialects. */
import type { Dialect } from "kysely";
import type { Clock } from "@tiphys/base/clock";

/** A user and a password from secrets. */
export interface Login {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Returns a token instead of a password; called once for each new connection. */
  readonly token?: (() => Promise<string>) | undefined;
}

/** Limits of a pool of connections. */
export interface Pool {
  readonly maxOpen: number;
  /** Seconds for which an idle connection is kept. */
  readonly idleSeconds: number;
  /** Maximum lifetime of a connection in seconds; unlimited if undefined. */
  readonly lifeSeconds: number | undefined;
  readonly connectTimeoutSeconds: number;
}

/** The dependencies of a pool. */
export interface PoolEnvironment {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Closes connections in use too; otherwise closing the pool waits for them. */
  readonly stop: AbortSignal;
}

/** Kysely dialects over one pool. */
export interface Dialects {
  readonly usual: Dialect;
  /**
   * For work with a timeout: aborting the signal closes the connection in use, and the work gets no other one.
   * Undefined if queries are synchronous.
   */
  readonly until?: (signal: AbortSignal) => Dialect;
}

/** Loads the library of a database and returns its dialects. */
export type MakeDialects = (login: Login, world: PoolEnvironment) => Promise<Dialects>;
