/** The tables of the archive: made where there are none, and judged by their version where they are there. */
import { type Kysely, sql } from "kysely";
import type { Database, Engine } from "../database/mod.ts";
import type { Log } from "../log.ts";
import { UserError } from "../user_error.ts";
import type { ArchiveTables } from "./tables.ts";

/** The number under which Argo 4.1 knows its tables: it has made the changes 0 to 68. */
const VERSION = 68;

/** The options of preparing the tables. */
export interface SchemaOptions {
  /** The table of nodes that workflows have no room for; Argo makes it together with the others. */
  readonly tableName: string;
  /** Tables are neither made nor changed: somebody else does that. */
  readonly skipMigration?: boolean | undefined;
  readonly log: Log;
}

/**
 * Makes the archive ready: with no tables they are made, at Argo's version 68 they are left as they are. Two controllers may
 * do it at once, and one that was killed on the way is followed by one that goes on.
 * @throws {UserError} when the tables are of an older version, or are not there and may not be made.
 * @throws {DatabaseError}
 */
export async function prepareArchive(database: Database, options: SchemaOptions): Promise<void> {
  const { tableName, skipMigration = false, log } = options;
  if (!/^[A-Za-z_]\w{0,59}$/.test(tableName)) {
    throw new UserError(`persistence: tableName: expected the name of a table, got "${tableName}"`);
  }
  const before = await versionOf(database);
  if (before !== undefined && before >= 0) return judge(before, log);
  if (skipMigration) {
    throw new UserError(
      `Could not open the archive: its tables are at version ${before ?? "none"}, expected ${VERSION}, and ` +
        "`skipMigration` forbids to make them",
    );
  }
  const { engine } = database;
  const made = await database.transaction<ArchiveTables, boolean>((tx) =>
    alone(engine, tx, () => makeTables(engine, tx, tableName))
  );
  if (made) return log.info("The tables of the archive were made", { version: VERSION });
  judge(await versionOf(database) ?? -1, log);
}

/** Whether the tables were not there already: another controller may have been faster. */
async function makeTables(engine: Engine, tx: Kysely<ArchiveTables>, tableName: string): Promise<boolean> {
  await sql`create table if not exists schema_history(schema_version int not null, primary key(schema_version))`
    .execute(tx);
  const row = await tx.selectFrom("schema_history").select("schema_version").executeTakeFirst();
  if (row !== undefined && row.schema_version >= 0) return false;
  for (const statement of definition(engine, tableName)) await sql.raw(statement).execute(tx);
  await tx.deleteFrom("schema_history").execute();
  await tx.insertInto("schema_history").values({ schema_version: VERSION }).execute();
  return true;
}

/** The version of the tables; undefined where there are none. */
function versionOf(database: Database): Promise<number | undefined> {
  return database.query<ArchiveTables, number | undefined>(async (db) => {
    if (!(await hasTable(database.engine, db, "schema_history"))) return undefined;
    const row = await db.selectFrom("schema_history").select("schema_version").executeTakeFirst();
    return row === undefined ? undefined : Number(row.schema_version);
  });
}

async function hasTable(engine: Engine, db: Kysely<ArchiveTables>, table: string): Promise<boolean> {
  const query = {
    postgresql: sql`select 1 as found where to_regclass(${table}) is not null`,
    mysql:
      sql`select 1 as found from information_schema.tables where table_schema = database() and table_name = ${table}`,
    sqlite: sql`select 1 as found from sqlite_master where type = 'table' and name = ${table}`,
  }[engine];
  return (await query.execute(db)).rows.length > 0;
}

function judge(version: number, log: Log): void {
  if (version > VERSION) {
    log.warn("The tables of the archive are newer than this version knows", { version, expected: VERSION });
  }
  if (version >= VERSION) return;
  throw new UserError(
    `Could not open the archive: its tables are at version ${version}, expected ${VERSION}: start a controller of ` +
      "Argo Workflows 4.1 once with this database, which brings them there",
  );
}

/**
 * Does work while nobody else makes the tables. SQLite lets one write at a time anyway; MySQL commits at each table, so its
 * lock is one of the session.
 */
async function alone<T>(engine: Engine, db: Kysely<ArchiveTables>, work: () => Promise<T>): Promise<T> {
  if (engine === "postgresql") await sql`select pg_advisory_xact_lock(hashtext('argo schema_history'))`.execute(db);
  if (engine !== "mysql") return await work();
  await sql`select get_lock('argo schema_history', 30)`.execute(db);
  try {
    return await work();
  } finally {
    await sql`select release_lock('argo schema_history')`.execute(db);
  }
}

/** The SQL in which the engines differ: types of columns, and options of a table. */
interface Words {
  readonly archived: string;
  readonly nodes: string;
  readonly created: string;
  /** At the end of a table. */
  readonly ofTable: string;
}

const WORDS: Readonly<Record<Engine, Words>> = {
  postgresql: { archived: "jsonb", nodes: "json", created: "timestamp default current_timestamp", ofTable: "" },
  mysql: {
    archived: "json",
    nodes: "json",
    created: "timestamp not null default current_timestamp",
    // Names of labels differ by capitals, and are part of a key.
    ofTable: " character set utf8mb4 collate utf8mb4_bin",
  },
  sqlite: { archived: "text", nodes: "text", created: "timestamp default current_timestamp", ofTable: "" },
};

const ARCHIVE = "argo_archived_workflows";
const TIME = "timestamp not null default current_timestamp";

/** The indexes as Argo has them. */
const ARGO_INDEXES = [
  "clustername, instanceid, namespace, startedat desc",
  "clustername, instanceid, finishedat",
  "clustername, instanceid, name",
  "clustername, startedat",
  "creationtimestamp",
];

/** The indexes of files, which Argo knows none of: lists are in the order of the first and of the fourth. */
const SQLITE_INDEXES = [
  "clustername, instanceid, namespace, startedat, uid",
  "clustername, instanceid, finishedat",
  "clustername, instanceid, name, startedat, uid",
  "clustername, instanceid, startedat, uid",
  "creationtimestamp",
];

/** The final tables, as Argo's changes leave them, and their indexes. */
function definition(engine: Engine, tableName: string): string[] {
  const { archived, nodes, created } = WORDS[engine];
  const workflow = `workflow ${archived} not null`;
  return [
    ...table(engine, ARCHIVE, [
      "uid varchar(128) not null",
      "name varchar(256) not null",
      "phase varchar(25) not null",
      "namespace varchar(256) not null",
      ...(engine === "sqlite" ? [] : [workflow]),
      `startedat ${TIME}`,
      `finishedat ${TIME}`,
      "clustername varchar(64) not null",
      "instanceid varchar(64) not null",
      `creationtimestamp ${created}`,
      // Columns behind a long text are reached through all of it.
      ...(engine === "sqlite" ? [workflow] : []),
      "primary key (clustername, uid)",
    ], engine === "sqlite" ? SQLITE_INDEXES : ARGO_INDEXES),
    ...table(engine, `${ARCHIVE}_labels`, [
      "clustername varchar(64) not null",
      "uid varchar(128) not null",
      "name varchar(317) not null",
      "value varchar(63) not null",
      "primary key (clustername, uid, name)",
      `foreign key (clustername, uid) references ${ARCHIVE} (clustername, uid) on delete cascade`,
    ], ["name, value"]),
    ...table(engine, tableName, [
      `creationtimestamp ${created}`,
      "uid varchar(128) not null",
      "namespace varchar(256) not null",
      "clustername varchar(64) not null",
      "version varchar(64) not null",
      `nodes ${nodes} not null`,
      `updatedat ${TIME}`,
      "primary key (clustername, uid, version)",
    ], ["clustername, namespace, updatedat"]),
  ];
}

/** One table with its indexes, named `TABLE_i1` and so on; MySQL makes them with the table only, if they may be there already. */
function table(engine: Engine, name: string, parts: readonly string[], indexes: readonly string[]): string[] {
  const isMysql = engine === "mysql";
  const inside = isMysql ? indexes.map((columns, at) => `index ${name}_i${at + 1} (${columns})`) : [];
  const after = isMysql
    ? []
    : indexes.map((columns, at) => `create index if not exists ${name}_i${at + 1} on ${name} (${columns})`);
  const all = [...parts, ...inside].join(", ");
  return [`create table if not exists ${name} (${all})${WORDS[engine].ofTable}`, ...after];
}
