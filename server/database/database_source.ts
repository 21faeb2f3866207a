/** A database connection of the server: opened on first use, and not retried for a while after a failure. */
import { SchemaError } from "@tiphys/storage/database/schema_error";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { CODE, WireError } from "../wire/errors.ts";

/** The function that opens a database, and its name for messages. */
export interface DatabaseSourceOptions<Opened> {
  /** For example `archive of workflows`. */
  readonly what: string;
  readonly open: () => Promise<Opened>;
  readonly log: Log;
  readonly now?: (() => number) | undefined;
  /** The timeout of a query in milliseconds. Default: 30 seconds. */
  readonly timeoutMillis?: number | undefined;
}

/** The time for which queries fail immediately after the database was unreachable, in milliseconds. */
const OFFLINE_MILLIS = 5000;

/** The default timeout of a query, in milliseconds. */
const MAX_MILLIS = 30_000;

/** A configured database. Whether it is reachable is known only after a query. */
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
   * Runs a query.
   * @throws {WireError} `unavailable` when the database is unreachable or unusable, `deadlineExceeded` after the
   * timeout.
   */
  async query<T>(question: (opened: Opened) => Promise<T>): Promise<T> {
    if (this.#away && this.#away.until > this.#now()) throw this.#away.error;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#timeoutError()), this.#options.timeoutMillis ?? MAX_MILLIS);
    });
    const answer = this.#open().then(question);
    // After the timeout, a late error must not become an unhandled rejection.
    answer.catch(() => {});
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      throw this.#errorForCaller(error);
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

  /** Converts an error for the caller. The details are only logged. */
  #errorForCaller(error: unknown): unknown {
    const { name, sort } = fieldsOf(error);
    if (error instanceof WireError || !(error instanceof UserError || name === "DatabaseError")) return error;
    const { what, log } = this.#options;
    log.warn(`The ${what} failed`, { error: String(error) });
    const away = new WireError(CODE.unavailable, `the ${what} ${descriptionOf(error)}`, { cause: error });
    if (error instanceof UserError || sort === "unreachable" || sort === "credentials") {
      this.#away = { until: this.#now() + OFFLINE_MILLIS, error: away };
    }
    return away;
  }

  #timeoutError(): WireError {
    const seconds = (this.#options.timeoutMillis ?? MAX_MILLIS) / 1000;
    return new WireError(CODE.deadlineExceeded, `the ${this.#options.what} did not answer within ${seconds} seconds`);
  }
}

/** Describes the error for callers, without addresses or settings. */
function descriptionOf(error: unknown): string {
  if (!(error instanceof UserError)) return "cannot be reached";
  if (!(error instanceof SchemaError)) return "cannot be used: see the server's log for the invalid setting";
  if (error.areMissing) return "has no tables: the controller creates them at start";
  return "has tables of another version: see the server's log for how to migrate them";
}
