/**
 * Tables of the archive as earlier releases of Argo left them, brought to their last form. What is there is looked at, not what
 * number they have: a server of MySQL keeps each change at once, so a controller that was killed on the way may have left
 * any mixture.
 */
import { type QueryExecutorProvider, sql } from "kysely";
import type { Engine } from "../database/mod.ts";

/** Argo 2.12 and 3.0 left the tables at this version; from there to the last one only indexes and two columns changed. */
export const EARLIEST = 56;

/** An index that a table has to have. */
export interface WantedIndex {
  readonly table: string;
  readonly name: string;
  /** As they stand in a statement, `desc` among them. */
  readonly columns: string;
}

type Tables = QueryExecutorProvider;

const ARCHIVE = "argo_archived_workflows";

/** Brings the tables to their last form; those that have it stay as they are. */
export async function bringForward(engine: Engine, db: Tables, indexes: readonly WantedIndex[]): Promise<void> {
  await storeBinary(engine, db);
  await addCreationTime(engine, db);
  for (const index of indexes) await haveIndex(engine, db, index);
}

/** PostgreSQL held workflows as texts until Argo 3.6; MySQL never did. */
async function storeBinary(engine: Engine, db: Tables): Promise<void> {
  if (engine !== "postgresql" || await typeOf(engine, db, "workflow") === "jsonb") return;
  await sql`alter table ${sql.table(ARCHIVE)} alter column workflow set data type jsonb using workflow::jsonb`.execute(
    db,
  );
}

/** Since Argo 4.0 the time at which a workflow was made has a column; of earlier ones the start is all that is known. */
async function addCreationTime(engine: Engine, db: Tables): Promise<void> {
  const table = sql.table(ARCHIVE);
  if (await typeOf(engine, db, "creationtimestamp") === undefined) {
    await sql`alter table ${table} add column creationtimestamp timestamp null`.execute(db);
  }
  await sql`update ${table} set creationtimestamp = startedat where creationtimestamp is null`.execute(db);
  const now = sql`current_timestamp`;
  const change = engine === "mysql"
    ? sql`modify column creationtimestamp timestamp not null default ${now}`
    : sql`alter column creationtimestamp set default ${now}`;
  await sql`alter table ${table} ${change}`.execute(db);
}

async function haveIndex(engine: Engine, db: Tables, { table, name, columns }: WantedIndex): Promise<void> {
  const there = await indexedColumns(engine, db, table, name);
  // Some servers of MySQL take an index in descending order for one in ascending: only the names are compared.
  const wanted = columns.split(",").map((column) => column.trim().split(" ")[0]).join(",");
  if (there === wanted) return;
  if (there !== undefined) {
    const of = engine === "mysql" ? sql` on ${sql.table(table)}` : sql``;
    await sql`drop index ${sql.ref(name)}${of}`.execute(db);
  }
  await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.raw(columns)})`.execute(db);
}

/** The type of a column of the archive; undefined where there is none of the name. */
async function typeOf(engine: Engine, db: Tables, column: string): Promise<string | undefined> {
  const schema = engine === "mysql" ? sql`database()` : sql`current_schema()`;
  const { rows } = await sql<{ readonly found: string }>`select data_type as found from information_schema.columns
    where table_schema = ${schema} and table_name = ${ARCHIVE} and column_name = ${column}`.execute(db);
  return rows[0]?.found;
}

/** The columns of an index, in order and by commas; undefined where there is none of the name. */
async function indexedColumns(engine: Engine, db: Tables, table: string, name: string): Promise<string | undefined> {
  const query = engine === "mysql"
    ? sql<{ readonly found: string }>`select column_name as found from information_schema.statistics
        where table_schema = database() and table_name = ${table} and index_name = ${name} order by seq_in_index`
    : sql<{ readonly found: string }>`select a.attname as found from pg_index x
        cross join lateral unnest(x.indkey::int2[]) with ordinality as k (number, place)
        join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
        where x.indrelid = to_regclass(${table}) and i.relname = ${name} order by k.place`;
  const { rows } = await query.execute(db);
  return rows.length === 0 ? undefined : rows.map(({ found }) => found).join(",");
}
