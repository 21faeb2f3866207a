/** The interface of a database, independent of its server or file. */
import type { Kysely, Transaction } from "kysely";

/** The kind of database; `mysql` includes MariaDB. */
export type Engine = "postgresql" | "mysql" | "sqlite";

/** Isolation of a transaction. SQLite serializes all of them: it has one writer at a time. */
export interface TransactionOptions {
  readonly isolation?: "serializable";
}

/**
 * A database. All its errors are {@link DatabaseError}. All sessions use UTC; times are text such as `2026-11-23
 * 04:05:06` (with fractions of a second in PostgreSQL and SQLite if there are any).
 */
export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /**
   * Runs idempotent work. It is retried when the connection breaks, according to `reconnectionConfig`, and once with
   * fresh secrets when the server rejects the user or password.
   * @param until aborts the work: the promise rejects immediately, and the connection is closed.
   * @throws {DatabaseError}
   */
  query<Tables, Result>(work: (sql: Kysely<Tables>) => Promise<Result>, until?: AbortSignal): Promise<Result>;
  /**
   * Runs work atomically. It is retried when the server reports a conflict with another transaction (at most ten
   * times), or when no connection could be opened; not when the connection broke during the work.
   * @throws {DatabaseError}
   */
  transaction<Tables, Result>(
    work: (sql: Transaction<Tables>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
}
