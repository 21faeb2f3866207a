/** The tables of the archive, as Argo makes them. */
import { bringForward, definitionOf, type WantedColumn, type WantedTable } from "./earlier_tables.ts";
import { checkTableName, type Database, type Engine, prepareSchema, type SchemaOptions } from "../database/mod.ts";

/** The number under which Argo 4.1 knows its tables: it has made the changes 0 to 68. */
const VERSION = 68;

/** The options of preparing the tables. */
export interface ArchiveSchemaOptions extends SchemaOptions {
  /** The table of nodes that workflows have no room for; Argo makes it together with the others. */
  readonly tableName: string;
  /** The cluster whose rows those are that tell of none, as rows of the first releases do. */
  readonly clusterName: string;
}

/**
 * Makes the archive ready: with no tables they are made, those of earlier releases are brought forward, and at Argo's version 68
 * they are left as they are.
 * @throws {UserError} when the tables may not be made or changed.
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
      statements: (engine) => wantedTables(engine, tableName).flatMap((table) => statementsOf(engine, table)),
      // Argo has no tables of SQLite that there were earlier ones of.
      upgrade: database.engine === "sqlite" ? undefined : (engine, tx) => {
        const [archive, labels, nodes] = wantedTables(engine, tableName);
        return bringForward(engine, tx, { archive, labels, nodes, clusterName: options.clusterName });
      },
    },
    options,
  );
}

/** The types of columns that hold JSON: of a whole workflow, and of nodes. */
const JSON_TYPES: Readonly<Record<Engine, { readonly archived: string; readonly nodes: string }>> = {
  postgresql: { archived: "jsonb", nodes: "json" },
  mysql: { archived: "json", nodes: "json" },
  sqlite: { archived: "text", nodes: "text" },
};

const ARCHIVE = "argo_archived_workflows";

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

const text = (name: string, length: number): WantedColumn => ({ name, type: `varchar(${length})`, isNullable: false });
const json = (name: string, type: string): WantedColumn => ({ name, type, isNullable: false });
const time = (name: string, isNullable = false): WantedColumn => ({
  name,
  type: "timestamp",
  isNullable,
  otherwise: "current_timestamp",
});

/** The final tables, as Argo's changes leave them: the archive, its labels, and nodes that were offloaded. */
function wantedTables(engine: Engine, tableName: string): readonly [WantedTable, WantedTable, WantedTable] {
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
      // Columns behind a long text are reached through all of it.
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

/** One table with its indexes, named `TABLE_i1` and so on; MySQL makes them with the table only, if they may be there already. */
function statementsOf(engine: Engine, { name, columns, key, reference, indexes }: WantedTable): string[] {
  const isMysql = engine === "mysql";
  const inside = isMysql ? indexes.map((index, at) => `index ${name}_i${at + 1} (${index})`) : [];
  const after = isMysql
    ? []
    : indexes.map((index, at) => `create index if not exists ${name}_i${at + 1} on ${name} (${index})`);
  const parts = [
    ...columns.map(definitionOf),
    `primary key (${key})`,
    ...(reference === undefined ? [] : [reference]),
    ...inside,
  ];
  return [`create table if not exists ${name} (${parts.join(", ")})`, ...after];
}
