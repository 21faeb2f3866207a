/** The means of reaching a server: the login that secrets hold, the pool of connections, and the dialect made of both. */
import type { Dialect } from "kysely";

/** A user and a password, read from secrets. */
export interface Login {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Fetches what stands for a password, for each connection anew. */
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

/** Makes what kysely speaks to a database with; its library is loaded here. */
export type MakeDialect = (login: Login, pool: Pool) => Promise<Dialect>;
