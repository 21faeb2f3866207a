/** Limits of semaphores in a database, which controllers read in each round. */
import { type Database, DatabaseError } from "../database/mod.ts";
import { type LimitStorage, type SyncLimit, SyncLimitError, type SyncLimitName } from "../sync_limits/mod.ts";
import type { LockTables, TableNames } from "./tables.ts";

/** Maximum length of a row's name. */
const MAX_NAME_LENGTH = 256;

/** Maximum value of an `int` column. */
const MAX_INT = 2 ** 31 - 1;

/** Manages limits in the lock tables. Database errors are `DatabaseError`s. */
export class DatabaseLimits implements LimitStorage {
  readonly #database: Database;
  readonly #table: TableNames["limit"];

  constructor(database: Database, { limit }: Pick<TableNames, "limit">) {
    this.#database = database;
    this.#table = limit;
  }

  async create(limit: SyncLimit): Promise<SyncLimit> {
    const row = { name: rowName(limit), sizelimit: sizeOf(limit) };
    try {
      await this.#database.query<LockTables, unknown>((db) => db.insertInto(this.#table).values(row).execute());
      return limit;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.sort !== "duplicate") throw error;
      const message = `Database sync limit already exists in namespace "${limit.namespace}".`;
      throw new SyncLimitError("AlreadyExists", message, { cause: error });
    }
  }

  async get(name: SyncLimitName): Promise<SyncLimit> {
    const row = await this.#database.query<LockTables, { sizelimit: number | null } | undefined>((db) =>
      db.selectFrom(this.#table).select("sizelimit").where("name", "=", rowName(name)).executeTakeFirst()
    );
    if (!row) throw missingError(name);
    return { ...name, limit: Number(row.sizelimit ?? 0) };
  }

  /**
   * Checks the existence of the row separately, because servers count a row that already has the value as unchanged.
   */
  async update(limit: SyncLimit): Promise<SyncLimit> {
    const name = rowName(limit);
    const sizelimit = sizeOf(limit);
    const isThere = await this.#database.transaction<LockTables, boolean>(async (tx) => {
      const found = await tx.selectFrom(this.#table).select("name").where("name", "=", name).executeTakeFirst();
      if (found) await tx.updateTable(this.#table).set({ sizelimit }).where("name", "=", name).execute();
      return found !== undefined;
    });
    if (!isThere) throw missingError(limit);
    return limit;
  }

  async delete(name: SyncLimitName): Promise<void> {
    await this.#database.query<LockTables, unknown>((db) =>
      db.deleteFrom(this.#table).where("name", "=", rowName(name)).execute()
    );
  }
}

function rowName({ namespace, key }: SyncLimitName): string {
  const name = `${namespace}/${key}`;
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw new SyncLimitError("InvalidArgument", `key: expected at most ${MAX_NAME_LENGTH} characters with the namespace`);
}

function sizeOf({ limit }: SyncLimit): number {
  if (limit <= MAX_INT) return limit;
  throw new SyncLimitError("InvalidArgument", `limit must be at most ${MAX_INT}`);
}

function missingError({ namespace }: SyncLimitName): SyncLimitError {
  return new SyncLimitError("NotFound", `Database sync limit not found in namespace "${namespace}".`);
}
