/** The tables of the archive, as Argo makes them. */
import { bringForward, EARLIEST, type WantedIndex } from "./earlier_tables.ts";
import { checkTableName, type Database, type Engine, prepareSchema, type SchemaOptions } from "../database/mod.ts";

/** The number under which Argo 4.1 knows its tables: it has made the changes 0 to 68. */
const VERSION = 68;

/** The options of preparing the tables. */
export interface ArchiveSchemaOptions extends SchemaOptions {
  /** The table of nodes that workflows have no room for; Argo makes it together with the others. */
  readonly tableName: string;
}

/**
 * Makes the archive ready: with no tables they are made, those of earlier releases are brought forward, and at Argo's version 68
 * they are left as they are.
 * @throws {UserError} when the tables are older than those of Argo 2.12, or may not be made or changed.
 * @throws {DatabaseError}
 */
export async function prepareArchive(database: Database, options: ArchiveSchemaOptions): Promise<void> {
  const tableName = checkTableName("persistence: tableName", options.tableName);
  const statements = (engine: Engine) => definition(engine, tableName);
  await prepareSchema(
    database,
    {
      what: "the archive",
      history: "schema_history",
      version: VERSION,
      statements,
      upgrade: { from: EARLIEST, run: (engine, tx) => bringForward(engine, tx, indexesOf(tableName)) },
    },
    options,
  );
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

const LABELS_INDEXES = ["name, value"];
const NODES_INDEXES = ["clustername, namespace, updatedat"];

/** The indexes that Argo's tables have in the end. */
function indexesOf(tableName: string): WantedIndex[] {
  const named = (table: string, all: readonly string[]) =>
    all.map((columns, at) => ({ table, name: `${table}_i${at + 1}`, columns }));
  return [
    ...named(ARCHIVE, ARGO_INDEXES),
    ...named(`${ARCHIVE}_labels`, LABELS_INDEXES),
    ...named(tableName, NODES_INDEXES),
  ];
}

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
    ], LABELS_INDEXES),
    ...table(engine, tableName, [
      `creationtimestamp ${created}`,
      "uid varchar(128) not null",
      "namespace varchar(256) not null",
      "clustername varchar(64) not null",
      "version varchar(64) not null",
      `nodes ${nodes} not null`,
      `updatedat ${TIME}`,
      "primary key (clustername, uid, version)",
    ], NODES_INDEXES),
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
