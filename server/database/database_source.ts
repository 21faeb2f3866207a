/** A database as the server reaches it: opened when it is first asked something, and left alone for a while when it is gone. */
import { SchemaError } from "../../lib/database/schema_error.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import type { Log } from "../../lib/log.ts";
import { UserError } from "../../lib/user_error.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** The way to open a database, and its name for people. */
export interface DatabaseSourceOptions<Opened> {
  /** `archive of workflows`. */
  readonly what: string;
  readonly open: () => Promise<Opened>;
  readonly log: Log;
  readonly now?: (() => number) | undefined;
  /** The time within which a question is answered, milliseconds; 30 seconds where it is absent. */
  readonly longestMillis?: number | undefined;
}

/** A database that could not be reached is asked again after this time. */
const AWAY_MILLIS = 5000;

/** A question is answered within this time, or not at all, where nothing else is said. */
const LONGEST_MILLIS = 30_000;

/** A database that somebody set up; whether it can be reached is found out by asking it. */
export class DatabaseSource<Opened extends AsyncDisposable> implements AsyncDisposable {
  readonly #options: DatabaseSourceOptions<Opened>;
  readonly #now: () => number;
  #opened: Promise<Opened> | undefined;
  #away: { readonly until: number; readonly error: WireError } | undefined;

  constructor(options: DatabaseSourceOptions<Opened>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Asks the database.
   * @throws {WireError} `unavailable` when it cannot be reached or used, `deadlineExceeded` when it takes too long.
   */
  async ask<T>(question: (opened: Opened) => Promise<T>): Promise<T> {
    if (this.#away && this.#away.until > this.#now()) throw this.#away.error;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#tooLate()), this.#options.longestMillis ?? LONGEST_MILLIS);
    });
    const answer = this.#open().then(question);
    // Nobody waits for an answer that comes too late.
    answer.catch(() => {});
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      throw this.#sorted(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<Opened> {
    this.#opened ??= this.#options.open();
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  /** The error as callers are told of it; the rest is in the log. */
  #sorted(error: unknown): unknown {
    const { name, sort } = fieldsOf(error);
    if (error instanceof WireError || !(error instanceof UserError || name === "DatabaseError")) return error;
    const { what, log } = this.#options;
    log.warn(`The ${what} could not be asked`, { error: String(error) });
    const away = new WireError(CODE.unavailable, `the ${what} ${troubleOf(error)}`, { cause: error });
    if (error instanceof UserError || sort === "unreachable" || sort === "credentials") {
      this.#away = { until: this.#now() + AWAY_MILLIS, error: away };
    }
    return away;
  }

  #tooLate(): WireError {
    const seconds = (this.#options.longestMillis ?? LONGEST_MILLIS) / 1000;
    return new WireError(CODE.deadlineExceeded, `the ${this.#options.what} did not answer within ${seconds} seconds`);
  }
}

/** The trouble in words for callers, who are told no address and no setting. */
function troubleOf(error: unknown): string {
  if (!(error instanceof UserError)) return "cannot be reached";
  if (!(error instanceof SchemaError)) return "cannot be used: the server's log says which setting is wrong";
  if (error.areMissing) return "has no tables: the controller makes them when it starts";
  return "has tables of another version: the server's log says how they are brought forward";
}
