/** The archive as the server reaches it: opened when it is first asked something, and left alone for a while when it is gone. */
import type { PersistenceSettings } from "../../lib/api/mod.ts";
import type { WorkflowArchive } from "../../lib/archive/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import { fieldsOf } from "../../lib/fields_of.ts";
import type { Log } from "../../lib/log.ts";
import { UserError } from "../../lib/user_error.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** The settings of an archive, and what it takes to open it. */
export interface ArchiveSourceOptions {
  readonly settings: PersistenceSettings;
  readonly log: Log;
  /** The value of a key of a Secret in the server's namespace. */
  secret(name: string, key: string): Promise<string>;
  readonly instanceId?: string | undefined;
  readonly managedNamespace?: string | undefined;
  readonly now?: (() => number) | undefined;
}

/** An archive that could not be reached is asked again after this time. */
const AWAY_MILLIS = 5000;

/** A question to the archive is answered within this time, or not at all. */
const LONGEST_MILLIS = 30_000;

type Opened = WorkflowArchive & AsyncDisposable;

/** An archive that somebody set up; whether it can be reached is found out by asking it. */
export class ArchiveSource implements AsyncDisposable {
  readonly #options: ArchiveSourceOptions;
  readonly #now: () => number;
  #opened: Promise<Opened> | undefined;
  #away: { readonly until: number; readonly error: WireError } | undefined;

  constructor(options: ArchiveSourceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Asks the archive.
   * @throws {WireError} `unavailable` when it cannot be reached or used, `deadlineExceeded` when it takes too long.
   */
  async ask<T>(question: (archive: WorkflowArchive) => Promise<T>): Promise<T> {
    if (this.#away && this.#away.until > this.#now()) throw this.#away.error;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), LONGEST_MILLIS);
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
    this.#opened ??= this.#connect();
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #connect(): Promise<Opened> {
    const { OpenArchive } = await import("../../lib/archive/mod.ts");
    const { settings, log, instanceId, managedNamespace } = this.#options;
    // The controller makes the tables; a server only looks into them.
    return await OpenArchive.open({ ...settings, skipMigration: true }, {
      clock: systemClock,
      log,
      secret: (name, key) => this.#options.secret(name, key),
      instanceId,
      managedNamespace,
    });
  }

  /** What callers are told of an error; the rest is in the log. */
  #sorted(error: unknown): unknown {
    const { name, sort } = fieldsOf(error);
    if (error instanceof WireError || !(error instanceof UserError || name === "DatabaseError")) return error;
    this.#options.log.warn("The archive could not be asked", { error: String(error) });
    const away = new WireError(CODE.unavailable, "the archive of workflows cannot be reached", { cause: error });
    if (error instanceof UserError || sort === "unreachable" || sort === "credentials") {
      this.#away = { until: this.#now() + AWAY_MILLIS, error: away };
    }
    return away;
  }
}

function tooLate(): WireError {
  return new WireError(CODE.deadlineExceeded, `the archive did not answer within ${LONGEST_MILLIS / 1000} seconds`);
}
