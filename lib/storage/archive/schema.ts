/** The tables of the archive, as Argo creates them. */
import { type ColumnSchema, definitionOf, type TableSchema, upgradeTables } from "./earlier_tables.ts";
import { checkTableName, type Database, type Engine, prepareSchema, type SchemaOptions } from "../database/mod.ts";

/** Argo 4.1's version number of its tables: it has applied changes 0 to 68. */
const VERSION = 68;

/** Options of preparing the tables. */
export interface ArchiveSchemaOptions extends SchemaOptions {
  /** The table of offloaded nodes; Argo creates it together with the others. */
  readonly tableName: string;
  /** The cluster name for rows without a cluster name, such as those of the first releases. */
  readonly clusterName: string;
}

/**
 * Prepares the archive: creates missing tables, upgrades those of earlier releases, and leaves those of Argo's version
 * 68 unchanged.
 * @throws {UserError} when the tables must not be created or changed.
 * @throws {DatabaseError}
 */
export async function prepareArchive(database: Database, options: ArchiveSchemaOptions): Promise<void> {
  const tableName = checkTableName("persistence: tableName", options.tableName);
  await prepareSchema(
    database,
    {
      what: "the archive",
      history: "schema_history",
      version: VERSION,
      statements: (engine) => currentTables(engine, tableName).flatMap((table) => statementsOf(engine, table)),
      // Argo has no tables in SQLite, so there are no earlier ones.
      upgrade: database.engine === "sqlite" ? undefined : (engine, tx) => {
        const [archive, labels, nodes] = currentTables(engine, tableName);
        return upgradeTables(engine, tx, { archive, labels, nodes, clusterName: options.clusterName });
      },
    },
    options,
  );
}

/** The column types for JSON: of a whole workflow, and of nodes. */
const JSON_TYPES: Readonly<Record<Engine, { readonly archived: string; readonly nodes: string }>> = {
  postgresql: { archived: "jsonb", nodes: "json" },
  mysql: { archived: "json", nodes: "json" },
  sqlite: { archived: "text", nodes: "text" },
};

const ARCHIVE = "argo_archived_workflows";

/** Argo's indexes. */
const ARGO_INDEXES = [
  "clustername, instanceid, namespace, startedat desc",
  "clustername, instanceid, finishedat",
  "clustername, instanceid, name",
  "clustername, startedat",
  "creationtimestamp",
];

/** The indexes in SQLite, which Argo does not have: lists are in the order of the first and fourth. */
const SQLITE_INDEXES = [
  "clustername, instanceid, namespace, startedat, uid",
  "clustername, instanceid, finishedat",
  "clustername, instanceid, name, startedat, uid",
  "clustername, instanceid, startedat, uid",
  "creationtimestamp",
];

const text = (name: string, length: number): ColumnSchema => ({ name, type: `varchar(${length})`, isNullable: false });
const json = (name: string, type: string): ColumnSchema => ({ name, type, isNullable: false });
const time = (name: string, isNullable = false): ColumnSchema => ({
  name,
  type: "timestamp",
  isNullable,
  otherwise: "current_timestamp",
});

/** Returns the current tables, after all of Argo's changes: the archive, its labels, and offloaded nodes. */
function currentTables(engine: Engine, tableName: string): readonly [TableSchema, TableSchema, TableSchema] {
  const { archived, nodes } = JSON_TYPES[engine];
  const isFile = engine === "sqlite";
  const workflow = json("workflow", archived);
  return [{
    name: ARCHIVE,
    columns: [
      text("uid", 128),
      text("name", 256),
      text("phase", 25),
      text("namespace", 256),
      ...(isFile ? [] : [workflow]),
      time("startedat"),
      time("finishedat"),
      text("clustername", 64),
      text("instanceid", 64),
      time("creationtimestamp", engine !== "mysql"),
      // SQLite reads through a long text to reach the columns after it.
      ...(isFile ? [workflow] : []),
    ],
    key: "clustername, uid",
    indexes: isFile ? SQLITE_INDEXES : ARGO_INDEXES,
  }, {
    name: `${ARCHIVE}_labels`,
    columns: [text("clustername", 64), text("uid", 128), text("name", 317), text("value", 63)],
    key: "clustername, uid, name",
    reference: `foreign key (clustername, uid) references ${ARCHIVE} (clustername, uid) on delete cascade`,
    indexes: ["name, value"],
  }, {
    name: tableName,
    columns: [
      text("uid", 128),
      text("namespace", 256),
      time("creationtimestamp", true),
      text("clustername", 64),
      text("version", 64),
      json("nodes", nodes),
      time("updatedat"),
    ],
    key: "clustername, uid, version",
    indexes: ["clustername, namespace, updatedat"],
  }];
}

/**
 * Returns the statements that create a table and its indexes, named `TABLE_i1` and so on. In MySQL, indexes are part of
 * the table, because it has no `if not exists` for indexes.
 */
function statementsOf(engine: Engine, { name, columns, key, reference, indexes }: TableSchema): string[] {
  const isMysql = engine === "mysql";
  const inside = isMysql ? indexes.map((index, i) => `index ${name}_i${i + 1} (${index})`) : [];
  const after = isMysql
    ? []
    : indexes.map((index, i) => `create index if not exists ${name}_i${i + 1} on ${name} (${index})`);
  const parts = [
    ...columns.map(definitionOf),
    `primary key (${key})`,
    ...(reference === undefined ? [] : [reference]),
    ...inside,
  ];
  return [`create table if not exists ${name} (${parts.join(", ")})`, ...after];
}
