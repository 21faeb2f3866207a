/** Opens the lock database of the settings. */
import type { SynchronizationSettings } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { type Database, openDatabase } from "../database/mod.ts";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { DatabaseLimits } from "./database_limits.ts";
import { LockDatabase } from "./lock_database.ts";
import { prepareLocks } from "./schema.ts";
import { tableNames } from "./tables.ts";

/** The clock, log and secrets that a lock database needs. */
export interface LockEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the value of a key of a Secret in the controller's namespace. */
  secret(name: string, key: string): Promise<string>;
}

/** Argo's default intervals, in seconds. */
const HEARTBEAT_SECONDS = 60;
const INACTIVE_SECONDS = 600;

/** Maximum length of a controller's name. */
const MAX_NAME_LENGTH = 64;

/** Locks with a dedicated database connection. */
export class OpenLockDatabase extends LockDatabase implements AsyncDisposable {
  readonly #close: () => PromiseLike<void>;

  private constructor(close: () => PromiseLike<void>, ...rest: ConstructorParameters<typeof LockDatabase>) {
    super(...rest);
    this.#close = close;
  }

  /**
   * Connects, and creates missing tables.
   * @throws {UserError} when the settings or tables are invalid.
   * @throws {DatabaseError}
   */
  static async open(settings: SynchronizationSettings, world: LockEnvironment): Promise<OpenLockDatabase> {
    const { controllerName: controller = "", heartbeatSeconds, inactiveControllerSeconds } = settings;
    if (controller === "" || controller.length > MAX_NAME_LENGTH) {
      throw new UserError(`synchronization: controllerName: expected a name of 1 to ${MAX_NAME_LENGTH} characters`);
    }
    const { clock, log } = world;
    const names = tableNames(settings);
    const database = await openPrepared(settings, world);
    return new OpenLockDatabase(() => database[Symbol.asyncDispose](), {
      database,
      names,
      clock,
      log,
      controller,
      heartbeatMillis: (heartbeatSeconds || HEARTBEAT_SECONDS) * 1000,
      inactiveMillis: (inactiveControllerSeconds || INACTIVE_SECONDS) * 1000,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

/** Limits with a dedicated database connection. */
export class OpenLimits extends DatabaseLimits implements AsyncDisposable {
  readonly #close: () => PromiseLike<void>;

  private constructor(close: () => PromiseLike<void>, ...rest: ConstructorParameters<typeof DatabaseLimits>) {
    super(...rest);
    this.#close = close;
  }

  /**
   * Connects, and creates missing tables.
   * @throws {UserError} when the settings or tables are invalid.
   * @throws {DatabaseError}
   */
  static async open(settings: SynchronizationSettings, world: LockEnvironment): Promise<OpenLimits> {
    const database = await openPrepared(settings, world);
    return new OpenLimits(() => database[Symbol.asyncDispose](), database, tableNames(settings));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

async function openPrepared(settings: SynchronizationSettings, world: LockEnvironment): Promise<Database> {
  const names = tableNames(settings);
  const database = openDatabase(settings, world);
  try {
    await prepareLocks(database, names, { skipMigration: settings.skipMigration, log: world.log });
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}
