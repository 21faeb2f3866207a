/** A database behind a pool of connections, made when it is first asked something, and anew when its secrets changed. */
import { Kysely, type Transaction } from "kysely";
import { type Clock, pause } from "@tiphys/base/clock";
import { UserError } from "@tiphys/base/user_error";
import type { Dialects, Login, MakeDialects, Pool } from "./connection.ts";
import type { Database, Engine, TransactionOptions } from "./database.ts";
import { DatabaseError, databaseError } from "./database_error.ts";
import type { Reconnection } from "./reconnection.ts";

/** The parts and settings of a pooled database. */
export interface PooledDatabaseOptions {
  readonly engine: Engine;
  readonly place: string;
  readonly dialects: MakeDialects;
  readonly login: () => Promise<Login>;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly reconnection: Reconnection;
  /** Ends what logging in has opened. */
  readonly close?: (() => void) | undefined;
}

/**
 * The number of repetitions of work that gave way to another transaction, and the pauses between them in milliseconds.
 */
const CONFLICT_RETRIES = 10;
const CONFLICT_DELAY = 10;
const LONGEST_CONFLICT_DELAY = 600;

/** The tokens that are kept from errors: of as many connections as are made at a time, and more. */
const MOST_TOKENS = 100;

/** A pool of connections, and the dialects that speak over it. */
interface Opened {
  readonly sql: Kysely<AnyTables>;
  readonly dialects: Dialects;
}

/** Any set of tables: only the caller knows those of its queries. */
// deno-lint-ignore no-explicit-any
type AnyTables = any;

/** A database behind a pool of connections. */
export class PooledDatabase implements Database {
  readonly #options: PooledDatabaseOptions;
  readonly #hidden = new Set<string>();
  readonly #tokens: string[] = [];
  #opened: Promise<Opened> | undefined;
  #closed = false;
  readonly #stop = new AbortController();
  /** Pools that are given up, and whose last connection is not closed yet. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: PooledDatabaseOptions) {
    this.#options = options;
  }

  get engine(): Engine {
    return this.#options.engine;
  }

  query<Tables, Result>(work: (sql: Kysely<Tables>) => Promise<Result>, until?: AbortSignal): Promise<Result> {
    const mayRepeat = () => until?.aborted !== true;
    const done = this.#givingWay(() => this.#reconnecting(work, mayRepeat, until));
    return until ? this.#waitedFor(done, until) : done;
  }

  transaction<Tables, Result>(
    work: (sql: Transaction<Tables>) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#givingWay(() => {
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

  /** Waits for work until a signal is aborted; what becomes of the work then concerns nobody. */
  async #waitedFor<Result>(done: Promise<Result>, until: AbortSignal): Promise<Result> {
    const given = Promise.withResolvers<never>();
    const giveUp = () => given.reject(new DatabaseError(`${this.#options.place}: it did not answer`, "unreachable"));
    if (until.aborted) giveUp();
    else until.addEventListener("abort", giveUp, { once: true });
    try {
      return await Promise.race([done, given.promise]);
    } finally {
      until.removeEventListener("abort", giveUp);
    }
  }

  /** Does work again when the server gave way to others: all of it was undone. */
  async #givingWay<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1;; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.sort !== "conflict" || attempt > CONFLICT_RETRIES) throw error;
        const delay = Math.min(CONFLICT_DELAY * 2 ** (attempt - 1), LONGEST_CONFLICT_DELAY);
        await pause(this.#options.clock, delay * (1 + Math.random() / 2));
      }
    }
  }

  /** Does work again while no connection can be had and `mayRepeat` says that this does no harm. */
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
        const error = this.#sorted(thrown, opened);
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

  #open(): Promise<Opened> {
    if (this.#closed) {
      return Promise.reject(new DatabaseError(`${this.#options.place}: it was closed`, "refused"));
    }
    this.#opened ??= this.#connect().catch((error) => {
      this.#opened = undefined;
      throw this.#sorted(error);
    });
    return this.#opened;
  }

  async #connect(): Promise<Opened> {
    const login = await this.#options.login();
    for (const value of [login.user, login.password]) if (value) this.#hidden.add(value);
    const { token: fetch } = login;
    const token = fetch && (async () => this.#hiding(await fetch()));
    const { pool, clock } = this.#options;
    const dialects = await this.#options.dialects({ ...login, token }, { pool, clock, stop: this.#stop.signal });
    return { sql: new Kysely({ dialect: dialects.usual }), dialects };
  }

  /** A token, which no error shows while it, or one of those that came before it, may still be refused. */
  #hiding(token: string): string {
    this.#hidden.delete(token);
    this.#hidden.add(token);
    const [oldest] = this.#tokens.splice(0, this.#tokens.push(token) - MOST_TOKENS);
    if (oldest !== undefined && !this.#tokens.includes(oldest)) this.#hidden.delete(oldest);
    return token;
  }

  /**
   * Gives a pool up: who holds a connection of it keeps it until the end of its work. The next query opens another pool, with
   * the secrets as they are then.
   */
  #discard(opened: Promise<Opened> | undefined): void {
    // Somebody else may have done so, and opened others.
    if (opened === undefined || opened !== this.#opened) return;
    this.#opened = undefined;
    // Where the database could not be opened, or is gone already, there is nothing left to close.
    const left = opened.then(({ sql }) => sql.destroy()).catch(() => {}).then(() => void this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  /** Errors of the work itself pass as they are: only a driver's have to be sorted. */
  #sorted(error: unknown, opened?: Promise<Opened>): unknown {
    if (error instanceof DatabaseError || isOurs(error)) return error;
    const sorted = databaseError(error, this.#options.place, (text) => this.#hide(text));
    // Whoever asks a pool that somebody else gave up meanwhile is told so by its library alone: no server gave a code.
    const isGivenUp = opened !== undefined && opened !== this.#opened && !this.#closed;
    if (!isGivenUp || sorted.sort !== "refused" || sorted.code !== undefined) return sorted;
    return new DatabaseError(sorted.message, "unreachable");
  }

  #hide(text: string): string {
    const longestFirst = [...this.#hidden].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((shown, value) => shown.replaceAll(value, "***"), text);
  }
}

/** An error that has a meaning of its own, thrown by the work rather than by a driver. */
function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError ||
    error instanceof UserError;
}
