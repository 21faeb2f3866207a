/** Tables with a version number, as in Argo: created if missing, otherwise checked by their version. */
import { type Kysely, sql } from "kysely";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import type { Database, Engine } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { SchemaError } from "./schema_error.ts";

/** A set of tables that are created together. */
export interface Schema {
  /** The name of the tables in errors, for example `the archive`. */
  readonly what: string;
  /** The table with their version. */
  readonly history: string;
  /** Argo's version number of them. */
  readonly version: number;
  /** The statements that create them; tables may already exist. */
  readonly statements: (engine: Engine) => readonly string[];
  /** The upgrade from earlier versions; without it, those are rejected. */
  readonly upgrade?: Upgrade | undefined;
}

/**
 * Upgrades existing tables from any earlier version, before the statements create missing ones. An interrupted upgrade
 * is repeated from the start.
 */
export type Upgrade = (engine: Engine, tx: Kysely<Record<string, History>>) => Promise<void>;

/** Options of preparing tables. */
export interface SchemaOptions {
  /** Neither creates nor changes tables. */
  readonly skipMigration?: boolean | undefined;
  readonly log: Log;
}

/** The only column of a table of versions. */
export interface History {
  schema_version: number;
}

/**
 * Creates missing tables and upgrades those of earlier versions; current ones remain unchanged. Safe for concurrent
 * programs, and after a program was killed.
 * @throws {SchemaError} when their version cannot be upgraded, or they must not be created or changed.
 * @throws {DatabaseError}
 */
export async function prepareSchema(database: Database, schema: Schema, options: SchemaOptions): Promise<void> {
  const { skipMigration = false, log } = options;
  const { what, version } = schema;
  const before = await versionOf(database, schema);
  if (before !== undefined && (before >= version || isTooOld(before, schema))) return checkVersion(before, schema, log);
  if (skipMigration) {
    throw new SchemaError(
      `Could not open ${what}: its tables are at version ${before ?? "none"}, expected ${version}, and ` +
        "creating or changing them is disabled (`skipMigration`; a server never does): start the controller",
      { areMissing: before === undefined },
    );
  }
  const { engine } = database;
  const from = await database.transaction<Record<string, History>, number | undefined>((tx) =>
    runUnderLock(engine, tx, schema, () => makeTables(engine, tx, schema))
  );
  if (from === undefined) return checkVersion(await versionOf(database, schema) ?? NO_TABLES, schema, log);
  if (from === NO_TABLES) return log.info(`The tables of ${what} were created`, { version });
  log.info(`The tables of ${what} were migrated`, { from, version });
}

/** The version in Argo before the first table is created. */
const NO_TABLES = -1;

/** Whether the tables are of a version that cannot be upgraded. */
function isTooOld(tableVersion: number, { upgrade, version }: Schema): boolean {
  return !upgrade && tableVersion > NO_TABLES && tableVersion < version;
}

/** Returns the version that the tables had; undefined if they remain unchanged because another program was faster. */
async function makeTables(
  engine: Engine,
  tx: Kysely<Record<string, History>>,
  schema: Schema,
): Promise<number | undefined> {
  const { history, version, statements, upgrade } = schema;
  await sql`create table if not exists ${sql.table(history)}(schema_version int not null, primary key(schema_version))`
    .execute(tx);
  const row = await tx.selectFrom(history).select("schema_version").executeTakeFirst();
  const before = row?.schema_version ?? NO_TABLES;
  if (before >= version || isTooOld(before, schema)) return undefined;
  await upgrade?.(engine, tx);
  for (const statement of statements(engine)) await sql.raw(statement).execute(tx);
  await tx.deleteFrom(history).execute();
  await tx.insertInto(history).values({ schema_version: version }).execute();
  return before;
}

/** Returns the version of the tables; undefined if they do not exist. */
function versionOf(database: Database, { history }: Schema): Promise<number | undefined> {
  return database.query<Record<string, History>, number | undefined>(async (db) => {
    if (!(await hasTable(database.engine, db, history))) return undefined;
    const row = await db.selectFrom(history).select("schema_version").executeTakeFirst();
    return row === undefined ? undefined : Number(row.schema_version);
  });
}

async function hasTable(engine: Engine, db: Kysely<Record<string, History>>, table: string): Promise<boolean> {
  const query = {
    postgresql: sql`select 1 as found where to_regclass(${table}) is not null`,
    mysql:
      sql`select 1 as found from information_schema.tables where table_schema = database() and table_name = ${table}`,
    sqlite: sql`select 1 as found from sqlite_master where type = 'table' and name = ${table}`,
  }[engine];
  return (await query.execute(db)).rows.length > 0;
}

function checkVersion(version: number, { what, version: expected }: Schema, log: Log): void {
  if (version > expected) {
    log.warn(`The tables of ${what} are newer than this version knows`, { version, expected });
  }
  if (version >= expected) return;
  throw new SchemaError(
    `Could not open ${what}: its tables are at version ${version}, expected ${expected}: start a controller of ` +
      "Argo Workflows 4.1 once with this database, which brings them there",
    { areMissing: false },
  );
}

/**
 * Runs work under a lock on creating the tables. SQLite has one writer at a time anyway; MySQL commits after each
 * table, so its lock belongs to the session.
 */
async function runUnderLock<T>(
  engine: Engine,
  db: Kysely<Record<string, History>>,
  { what, history }: Schema,
  work: () => Promise<T>,
): Promise<T> {
  const name = `argo ${history}`;
  if (engine === "postgresql") await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db);
  if (engine !== "mysql") return await work();
  await lock(db, name, what);
  try {
    return await work();
  } finally {
    await sql`select release_lock(${name})`.execute(db);
  }
}

/** Seconds that MySQL waits for a lock, and the number of attempts. */
const LOCK_SECONDS = 30;
const LOCK_ATTEMPTS = 10;

/** @throws {DatabaseError} when another session keeps the lock, or the server fails to provide it. */
async function lock(db: Kysely<Record<string, History>>, name: string, subject: string): Promise<void> {
  for (let asked = 1; asked <= LOCK_ATTEMPTS; asked++) {
    const { rows: [row] } = await sql<{ got: unknown }>`select get_lock(${name}, ${LOCK_SECONDS}) as got`.execute(db);
    if (row?.got === null || row?.got === undefined) {
      throw new DatabaseError(`Could not open ${subject}: the server did not grant the lock "${name}"`, "refused");
    }
    if (Number(row.got) === 1) return;
  }
  const seconds = LOCK_SECONDS * LOCK_ATTEMPTS;
  throw new DatabaseError(
    `Could not open ${subject}: another program has held the lock "${name}" for ${seconds} s, under which tables are created: ` +
      "restart when it has finished, or end its session",
    "refused",
  );
}

/**
 * Checks the name of a table from the settings, which is inserted into statements.
 * @throws {UserError}
 */
export function checkTableName(place: string, name: string): string {
  if (/^[A-Za-z_]\w{0,59}$/.test(name)) return name;
  throw new UserError(`${place}: expected the name of a table, got "${name}"`);
}
