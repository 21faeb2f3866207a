/** A database with a pool of connections, which is opened on the first query and reopened when its secrets change. */
import { Kysely, type Transaction } from "kysely";
import { type Clock, pause } from "@tiphys/base/clock";
import { UserError } from "@tiphys/base/user_error";
import type { Dialects, Login, MakeDialects, Pool } from "./connection.ts";
import type { Database, Engine, TransactionOptions } from "./database.ts";
import { DatabaseError, databaseError } from "./database_error.ts";
import type { Reconnection } from "./reconnection.ts";

/** Options of a pooled database. */
export interface PooledDatabaseOptions {
  readonly engine: Engine;
  readonly place: string;
  readonly dialects: MakeDialects;
  readonly login: () => Promise<Login>;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly reconnection: Reconnection;
  /** Closes what the login has opened. */
  readonly close?: (() => void) | undefined;
}

/** The number of retries after conflicts between transactions, and the delays in milliseconds. */
const CONFLICT_RETRIES = 10;
const CONFLICT_DELAY = 10;
const MAX_CONFLICT_DELAY_MILLIS = 600;

/** The number of recent tokens to redact from errors. Must exceed the number of concurrent connections. */
const MAX_TOKENS = 100;

/** A pool of connections and its dialects. */
interface OpenPool {
  readonly sql: Kysely<AnyTables>;
  readonly dialects: Dialects;
}

/** Any set of tables: only the caller knows the tables of its queries. */
// deno-lint-ignore no-explicit-any
type AnyTables = any;

/** A database with a pool of connections. */
export class PooledDatabase implements Database {
  readonly #options: PooledDatabaseOptions;
  readonly #hidden = new Set<string>();
  readonly #tokens: string[] = [];
  #opened: Promise<OpenPool> | undefined;
  #closed = false;
  readonly #stop = new AbortController();
  /** Discarded pools with open connections. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: PooledDatabaseOptions) {
    this.#options = options;
  }

  get engine(): Engine {
    return this.#options.engine;
  }

  query<Tables, Result>(work: (sql: Kysely<Tables>) => Promise<Result>, until?: AbortSignal): Promise<Result> {
    const mayRepeat = () => until?.aborted !== true;
    const done = this.#retryConflicts(() => this.#reconnecting(work, mayRepeat, until));
    return until ? this.#waitFor(done, until) : done;
  }

  transaction<Tables, Result>(
    work: (sql: Transaction<Tables>) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#retryConflicts(() => {
      let begun = false;
      return this.#reconnecting(async (sql) => {
        const transaction = options.isolation && this.engine !== "sqlite"
          ? sql.transaction().setIsolationLevel(options.isolation)
          : sql.transaction();
        return await transaction.execute((inside) => {
          begun = true;
          return work(inside);
        });
      }, () => !begun);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    this.#discard(this.#opened);
    await Promise.all(this.#leaving);
    this.#options.close?.();
  }

  /** Waits for work until a signal is aborted; the result of the work is then ignored. */
  async #waitFor<Result>(done: Promise<Result>, until: AbortSignal): Promise<Result> {
    const given = Promise.withResolvers<never>();
    const giveUp = () => given.reject(new DatabaseError(`${this.#options.place}: no response`, "unreachable"));
    if (until.aborted) giveUp();
    else until.addEventListener("abort", giveUp, { once: true });
    try {
      return await Promise.race([done, given.promise]);
    } finally {
      until.removeEventListener("abort", giveUp);
    }
  }

  /** Retries work after conflicts, in which the server has rolled back all of it. */
  async #retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1;; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.sort !== "conflict" || attempt > CONFLICT_RETRIES) throw error;
        const delay = Math.min(CONFLICT_DELAY * 2 ** (attempt - 1), MAX_CONFLICT_DELAY_MILLIS);
        await pause(this.#options.clock, delay * (1 + Math.random() / 2));
      }
    }
  }

  /** Retries work while no connection is available and `mayRepeat` returns true. */
  async #reconnecting<Result>(
    work: (sql: Kysely<AnyTables>) => Promise<Result>,
    mayRepeat = () => true,
    until?: AbortSignal,
  ): Promise<Result> {
    const { clock, reconnection } = this.#options;
    let readAnew = false;
    for (let attempt = 1;; attempt++) {
      const opened = this.#open();
      try {
        const { sql, dialects } = await opened;
        return await work(until && dialects.until ? new Kysely({ dialect: dialects.until(until) }) : sql);
      } catch (thrown) {
        const error = this.#classify(thrown, opened);
        if (!(error instanceof DatabaseError) || !mayRepeat() || this.#closed) throw error;
        if (error.sort === "credentials" && !readAnew) {
          readAnew = true;
          this.#discard(opened);
        } else if (error.sort === "unreachable" && attempt <= reconnection.retries) {
          await pause(clock, reconnection.delay(attempt));
        } else throw error;
      }
    }
  }

  #open(): Promise<OpenPool> {
    if (this.#closed) {
      return Promise.reject(new DatabaseError(`${this.#options.place}: it was closed`, "refused"));
    }
    this.#opened ??= this.#connect().catch((error) => {
      this.#opened = undefined;
      throw this.#classify(error);
    });
    return this.#opened;
  }

  async #connect(): Promise<OpenPool> {
    const login = await this.#options.login();
    for (const value of [login.user, login.password]) if (value) this.#hidden.add(value);
    const { token: fetch } = login;
    const token = fetch && (async () => this.#addRedacted(await fetch()));
    const { pool, clock } = this.#options;
    const dialects = await this.#options.dialects({ ...login, token }, { pool, clock, stop: this.#stop.signal });
    return { sql: new Kysely({ dialect: dialects.usual }), dialects };
  }

  /** Redacts a token in errors while it, or one of the previous tokens, may still be rejected. */
  #addRedacted(token: string): string {
    this.#hidden.delete(token);
    this.#hidden.add(token);
    const [oldest] = this.#tokens.splice(0, this.#tokens.push(token) - MAX_TOKENS);
    if (oldest !== undefined && !this.#tokens.includes(oldest)) this.#hidden.delete(oldest);
    return token;
  }

  /**
   * Discards a pool: connections in use remain open until the end of their work. The next query opens another pool with
   * the current secrets.
   */
  #discard(opened: Promise<OpenPool> | undefined): void {
    // Another caller may have discarded it and opened a new one.
    if (opened === undefined || opened !== this.#opened) return;
    this.#opened = undefined;
    // If it failed to open or is closed, there is nothing to close.
    const left = opened.then(({ sql }) => sql.destroy()).catch(() => {}).then(() => void this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  /** Classifies errors of drivers; errors of the work itself are thrown unchanged. */
  #classify(error: unknown, opened?: Promise<OpenPool>): unknown {
    if (error instanceof DatabaseError || isErrorOfWork(error)) return error;
    const sorted = databaseError(error, this.#options.place, (text) => this.#redact(text));
    // A caller of a pool that was discarded in the meantime gets an error of its library, without a server's code.
    const isGivenUp = opened !== undefined && opened !== this.#opened && !this.#closed;
    if (!isGivenUp || sorted.sort !== "refused" || sorted.code !== undefined) return sorted;
    return new DatabaseError(sorted.message, "unreachable");
  }

  #redact(text: string): string {
    const longestFirst = [...this.#hidden].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((shown, value) => shown.replaceAll(value, "***"), text);
  }
}

/** Whether an error was thrown by the work rather than by a driver. */
function isErrorOfWork(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError ||
    error instanceof UserError;
}
