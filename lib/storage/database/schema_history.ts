/** Tables with a version beside them, as Argo keeps it: made where there are none, and judged by that version where they are there. */
import { type Kysely, sql } from "kysely";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import type { Database, Engine } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { SchemaError } from "./schema_error.ts";

/** Some tables that are made together. */
export interface Schema {
  /** The tables in the words of errors, as `the archive`. */
  readonly what: string;
  /** The table that has their version. */
  readonly history: string;
  /** The number under which Argo knows them. */
  readonly version: number;
  /** The statements that make them; each may find what it makes there already. */
  readonly statements: (engine: Engine) => readonly string[];
  /** The way from earlier versions; without it they are refused. */
  readonly upgrade?: Upgrade | undefined;
}

/**
 * Brings the tables that are there from any earlier version to the present one, before the statements make those that are
 * missing. Work that was broken off is done again from its beginning.
 */
export type Upgrade = (engine: Engine, tx: Kysely<Record<string, History>>) => Promise<void>;

/** The options of preparing tables. */
export interface SchemaOptions {
  /** Tables are neither made nor changed: somebody else does that. */
  readonly skipMigration?: boolean | undefined;
  readonly log: Log;
}

/** The one column of a table of versions. */
export interface History {
  schema_version: number;
}

/**
 * Makes tables where there are none, and brings those of earlier versions forward; those of the version are left as they are.
 * Two programs may do it at once, and one that was killed on the way is followed by one that goes on.
 * @throws {SchemaError} when there is no way from their version, or they may not be made or changed.
 * @throws {DatabaseError}
 */
export async function prepareSchema(database: Database, schema: Schema, options: SchemaOptions): Promise<void> {
  const { skipMigration = false, log } = options;
  const { what, version } = schema;
  const before = await versionOf(database, schema);
  if (before !== undefined && (before >= version || isTooOld(before, schema))) return judge(before, schema, log);
  if (skipMigration) {
    throw new SchemaError(
      `Could not open ${what}: its tables are at version ${before ?? "none"}, expected ${version}, and ` +
        "nothing here may make or change them (`skipMigration`; a server never does): start the controller",
      { areMissing: before === undefined },
    );
  }
  const { engine } = database;
  const from = await database.transaction<Record<string, History>, number | undefined>((tx) =>
    alone(engine, tx, schema, () => makeTables(engine, tx, schema))
  );
  if (from === undefined) return judge(await versionOf(database, schema) ?? NO_TABLES, schema, log);
  if (from === NO_TABLES) return log.info(`The tables of ${what} were made`, { version });
  log.info(`The tables of ${what} were brought forward`, { from, version });
}

/** The version that Argo gives tables before it makes the first of them. */
const NO_TABLES = -1;

/** Whether there are tables that nothing here can bring forward. */
function isTooOld(found: number, { upgrade, version }: Schema): boolean {
  return !upgrade && found > NO_TABLES && found < version;
}

/** The version that the tables had; undefined where they are left as they are: another program may have been faster. */
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

/** The version of the tables; undefined where there are none. */
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

function judge(version: number, { what, version: expected }: Schema, log: Log): void {
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
 * Does work while nobody else makes the tables. SQLite lets one write at a time anyway; MySQL commits at each table, so its
 * lock is one of the session.
 */
async function alone<T>(
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

/** The time for which MySQL waits for a lock when it is asked for it, seconds, and how often it is asked. */
const LOCK_SECONDS = 30;
const LOCK_ASKED = 10;

/** @throws {DatabaseError} when somebody else keeps the lock, or the server gives none. */
async function lock(db: Kysely<Record<string, History>>, name: string, what: string): Promise<void> {
  for (let asked = 1; asked <= LOCK_ASKED; asked++) {
    const { rows: [row] } = await sql<{ got: unknown }>`select get_lock(${name}, ${LOCK_SECONDS}) as got`.execute(db);
    if (row?.got === null || row?.got === undefined) {
      throw new DatabaseError(`Could not open ${what}: the server gives no lock "${name}"`, "refused");
    }
    if (Number(row.got) === 1) return;
  }
  const seconds = LOCK_SECONDS * LOCK_ASKED;
  throw new DatabaseError(
    `Could not open ${what}: another program has held the lock "${name}" for ${seconds} s, under which tables are made: ` +
      "start again when it is done, or end its session",
    "refused",
  );
}

/**
 * Checks the name of a table that settings give, which stands in statements as it is.
 * @throws {UserError}
 */
export function checkTableName(place: string, name: string): string {
  if (/^[A-Za-z_]\w{0,59}$/.test(name)) return name;
  throw new UserError(`${place}: expected the name of a table, got "${name}"`);
}
