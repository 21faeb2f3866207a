/**
 * Upgrades tables of earlier Argo releases to the current schema. The actual columns and indexes are checked, not the
 * version number: MySQL commits each change separately, so a controller that was killed during an upgrade may have left
 * any mixture.
 */
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { Engine } from "../database/mod.ts";
import { NULL_CHARACTER } from "./stored_json.ts";

/** A column of the current schema. */
export interface ColumnSchema {
  readonly name: string;
  /** The type, as in SQL. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The default for rows without a value. */
  readonly otherwise?: string;
}

/** A table of the current schema. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnSchema[];
  /** The columns of the primary key, separated by commas. */
  readonly key: string;
  /** The foreign key, as in SQL. */
  readonly reference?: string;
  /** The columns of its indexes, as in SQL; the first index is named `TABLE_i1`. */
  readonly indexes: readonly string[];
}

/** The tables to upgrade. */
export interface CurrentTables {
  readonly archive: TableSchema;
  readonly labels: TableSchema;
  readonly nodes: TableSchema;
  /** The cluster name for rows without a cluster name. */
  readonly clusterName: string;
}

type Tables = QueryExecutorProvider;

/** The name of the archive before Argo 2.3. */
const FIRST_ARCHIVE = "argo_workflow_history";

/** The column `uid` in the first versions. */
const FIRST_UID = "id";

/** The start time for rows without one. */
const NO_TIME = sql`'1970-01-01 00:00:01'`;

/** Upgrades the existing tables; tables with the current schema remain unchanged. */
export async function upgradeTables(engine: Engine, db: Tables, target: CurrentTables): Promise<void> {
  const { archive, labels, nodes, clusterName } = target;
  const columns = (table: string) => columnsOf(engine, db, table);
  if ((await columns(archive.name)).size === 0 && (await columns(FIRST_ARCHIVE)).size > 0) {
    await sql`alter table ${sql.table(FIRST_ARCHIVE)} rename to ${sql.table(archive.name)}`.execute(db);
  }
  const here = new TableUpgrade(engine, db);
  await here.table(archive, {
    name: sql`''`,
    phase: sql`''`,
    workflow: sql`'{}'`,
    startedat: NO_TIME,
    finishedat: NO_TIME,
    clustername: sql`${clusterName}`,
    instanceid: sql`''`,
    // Argo has written it since 4.0; for earlier rows, the start time is the best approximation.
    creationtimestamp: sql`startedat`,
  });
  await here.table(labels, {});
  // Until 2.3, Argo stored whole workflows in this table; the columns for them do not allow rows without them.
  const isWhole = (await columns(nodes.name)).has("workflow");
  await here.table(nodes, {
    clustername: sql`${clusterName}`,
    ...(isWhole ? partsOfWorkflow(engine) : { version: sql`''` }),
    updatedat: sql`current_timestamp`,
  }, {
    columns: ["workflow", "name", "phase", "startedat", "finishedat"],
    indexes: ["idx_name", `${nodes.name}_i2`],
  });
}

/** Expressions for the version and the nodes of a workflow that is stored as text. */
function partsOfWorkflow(engine: Engine): Fills {
  if (engine === "mysql") {
    return {
      version: sql`coalesce(json_unquote(json_extract(workflow, '$.metadata.resourceVersion')), '')`,
      nodes: sql`coalesce(json_extract(workflow, '$.status.nodes'), '{}')`,
    };
  }
  const workflow = sql`${withoutNulls(sql`workflow`)}::json`;
  return {
    version: sql`coalesce(${workflow} #>> '{metadata,resourceVersion}', '')`,
    nodes: sql`coalesce((${workflow} #> '{status,nodes}')::text, '{}')`,
  };
}

/** Values for new columns of existing rows. */
type Fills = Readonly<Record<string, RawBuilder<unknown>>>;

/** Columns and indexes that the current schema no longer has. */
interface ObsoleteParts {
  readonly columns: readonly string[];
  readonly indexes: readonly string[];
}

/** Changes tables, each change only if it is needed. */
class TableUpgrade {
  readonly #engine: Engine;
  readonly #db: Tables;

  constructor(engine: Engine, db: Tables) {
    this.#engine = engine;
    this.#db = db;
  }

  /** Upgrades one table if it exists. New columns are filled in order, before obsolete ones are dropped. */
  async table(target: TableSchema, fills: Fills, gone: ObsoleteParts = { columns: [], indexes: [] }): Promise<void> {
    const there = await columnsOf(this.#engine, this.#db, target.name);
    if (there.size === 0) return;
    const table = sql.table(target.name);
    for (const name of gone.indexes) await this.#dropIndex(target.name, name);
    if (there.has(FIRST_UID) && !there.has("uid")) {
      await this.#alterTable(
        table,
        this.#isMysql ? sql`change column id uid varchar(128) not null` : sql`rename column id to uid`,
      );
    }
    for (const column of target.columns) await this.#column(target.name, column, fills[column.name]);
    await this.#key(target);
    const left = gone.columns.filter((name) => there.has(name)).map((name) => sql`drop column ${sql.ref(name)}`);
    if (left.length > 0) await this.#alterTable(table, sql.join(left));
    for (const [index, columns] of target.indexes.entries()) {
      await this.#index(target.name, `${target.name}_i${index + 1}`, columns);
    }
  }

  get #isMysql(): boolean {
    return this.#engine === "mysql";
  }

  async #alterTable(table: RawBuilder<unknown>, change: RawBuilder<unknown>): Promise<void> {
    await sql`alter table ${table} ${change}`.execute(this.#db);
  }

  async #column(tableName: string, target: ColumnSchema, fill: RawBuilder<unknown> | undefined): Promise<void> {
    const { name, type, isNullable, otherwise } = target;
    const [table, column] = [sql.table(tableName), sql.ref(name)];
    const ofTable = () => columnsOf(this.#engine, this.#db, tableName);
    if (!(await ofTable()).has(name)) {
      const first = !isJson(type) ? type : this.#isMysql ? "mediumtext" : "text";
      await this.#alterTable(table, sql`add column ${column} ${sql.raw(first)} null`);
    }
    const found = (await ofTable()).get(name);
    if (!found) return;
    const isType = !isJson(type) || found.type === type || this.#isMysql && found.type === "longtext";
    const isDone = isType && found.isNullable === isNullable && (otherwise === undefined || found.hasDefault);
    if (fill && found.isNullable) {
      await sql`update ${table} set ${column} = ${fill} where ${column} is null`.execute(this.#db);
    }
    if (isDone) return;
    if (this.#isMysql) return await this.#alterTable(table, sql`modify column ${sql.raw(definitionOf(target))}`);
    if (!isType) {
      await this.#alterTable(table, sql`alter column ${column} type ${sql.raw(type)} using ${asJson(name, type)}`);
    }
    if (!isNullable) await this.#alterTable(table, sql`alter column ${column} set not null`);
    if (otherwise) await this.#alterTable(table, sql`alter column ${column} set default ${sql.raw(otherwise)}`);
  }

  async #key({ name, key }: TableSchema): Promise<void> {
    const table = sql.table(name);
    const found = await indexedColumns(this.#engine, this.#db, name, "primary");
    if (found?.columns === key.replaceAll(" ", "")) return;
    const added = sql`add primary key (${sql.raw(key)})`;
    if (!found) return await this.#alterTable(table, added);
    const dropped = this.#isMysql ? sql`drop primary key` : sql`drop constraint ${sql.ref(found.name)}`;
    await this.#alterTable(table, sql`${dropped}, ${added}`);
  }

  async #index(table: string, name: string, columns: string): Promise<void> {
    const found = await indexedColumns(this.#engine, this.#db, table, { name });
    // Some MySQL servers ignore descending order in an index, so only the names are compared.
    const wanted = columns.split(",").map((column) => column.trim().split(" ")[0]).join(",");
    if (found?.columns === wanted) return;
    if (found) await this.#dropIndex(table, name);
    await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.raw(columns)})`.execute(this.#db);
  }

  async #dropIndex(table: string, name: string): Promise<void> {
    if (!await indexedColumns(this.#engine, this.#db, table, { name })) return;
    const of = this.#isMysql ? sql` on ${sql.table(table)}` : sql``;
    await sql`drop index ${sql.ref(name)}${of}`.execute(this.#db);
  }
}

/** Returns the definition of a column in SQL. */
export function definitionOf({ name, type, isNullable, otherwise }: ColumnSchema): string {
  return `${name} ${type} ${isNullable ? "null" : "not null"}${otherwise === undefined ? "" : ` default ${otherwise}`}`;
}

function isJson(type: string): boolean {
  return type.startsWith("json");
}

/** An escaped null character in JSON; two backslashes before it are an escaped backslash and not part of it. */
const NULL_ESCAPE = String.raw`(?<!\\)((?:\\\\)*)\\u0000`;

/** Returns a JSON text without null characters, which PostgreSQL does not accept in `jsonb`. */
function withoutNulls(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when strpos(${text}, '\\u0000') = 0 then ${text}
    else regexp_replace(${text}, ${sql.lit(NULL_ESCAPE)}, ${sql.lit(String.raw`\1${NULL_CHARACTER}`)}, 'g') end)`;
}

/** Converts a text column to a JSON type. */
function asJson(name: string, type: string): RawBuilder<unknown> {
  const text = sql`${sql.ref(name)}::text`;
  return sql`${type === "jsonb" ? withoutNulls(text) : text}::${sql.raw(type)}`;
}

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

/** Returns the columns of a table by name; empty if the table does not exist. */
async function columnsOf(engine: Engine, db: Tables, table: string): Promise<ReadonlyMap<string, Column>> {
  const schema = engine === "mysql" ? sql`database()` : sql`current_schema()`;
  const { rows } = await sql<Record<"name" | "type" | "nullable" | "preset", string | null>>`select column_name as name,
    data_type as type, is_nullable as nullable, column_default as preset from information_schema.columns
    where table_schema = ${schema} and table_name = ${table}`.execute(db);
  return new Map(rows.map(({ name, type, nullable, preset }) => [
    String(name),
    // MariaDB returns `NULL` without a default.
    { type: String(type), isNullable: nullable === "YES", hasDefault: preset !== null && preset !== "NULL" },
  ]));
}

interface Index {
  readonly name: string;
  /** Names of the columns in index order, separated by commas. */
  readonly columns: string;
}

/** Returns the columns of an index by its name, or of the primary key; undefined if it does not exist. */
async function indexedColumns(
  engine: Engine,
  db: Tables,
  table: string,
  index: { readonly name: string } | "primary",
): Promise<Index | undefined> {
  const isKey = index === "primary";
  const query = engine === "mysql"
    ? sql<{ readonly name: string; readonly column: string }>`select index_name as name, column_name as "column"
        from information_schema.statistics where table_schema = database() and table_name = ${table}
        and index_name = ${isKey ? "PRIMARY" : index.name} order by seq_in_index`
    : sql<
      { readonly name: string; readonly column: string }
    >`select i.relname as name, a.attname as "column" from pg_index x
        cross join lateral unnest(x.indkey::int2[]) with ordinality as k (number, place)
        join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
        where x.indrelid = to_regclass(${table}) and ${isKey ? sql`x.indisprimary` : sql`i.relname = ${index.name}`}
        order by k.place`;
  const { rows } = await query.execute(db);
  const [first] = rows;
  return first && { name: first.name, columns: rows.map(({ column }) => column).join(",") };
}
