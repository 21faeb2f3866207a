/** The interface of a database: queries and transactions, whatever server or file is behind it. */
import type { Kysely, Transaction } from "kysely";

/** The kind of database. MariaDB is `mysql`. */
export type Engine = "postgresql" | "mysql" | "sqlite";

/** The isolation of a transaction from others. SQLite isolates all of them: one writes at a time. */
export interface TransactionOptions {
  readonly isolation?: "serializable";
}

/**
 * A database. Every error is a {@link DatabaseError}. All sessions are in UTC; times are texts, as `2026-11-23 04:05:06`
 * (PostgreSQL and SQLite with fractions of a second where there are any).
 */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /**
   * Does work that may happen twice: when the connection breaks on the way it is done again, as `reconnectionConfig`
   * says, and once more with the secrets read anew when the server refuses user or password.
   * @param until gives the work up when it is aborted: whoever waits is told so at once, and the connection is closed.
   * @throws {DatabaseError}
   */
  query<Tables, Result>(work: (sql: Kysely<Tables>) => Promise<Result>, until?: AbortSignal): Promise<Result>;
  /**
   * Does work whole or not at all. It is done again when the server gave way to another transaction (at most ten
   * times), or when no connection could be had to begin with; not when the connection broke in the middle.
   * @throws {DatabaseError}
   */
  transaction<Tables, Result>(
    work: (sql: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
}
