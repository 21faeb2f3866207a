/** Reads the schema of a database, for comparing two schemas and for creating one. */
import { sql } from "kysely";
import type { Database } from "../../database/mod.ts";

/** The schema of a table: its parts in PostgreSQL, its `create` statement in MySQL. */
export interface TableShape {
  /** By name: type and other properties. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly constraints?: Readonly<Record<string, string>>;
  /** The statements that create indexes other than those of constraints. */
  readonly indexes?: readonly string[];
  readonly statement?: string;
}

/** All tables of a database by name. */
export type Shapes = Readonly<Record<string, TableShape>>;

/** Returns the schema of each table. */
export async function tablesOf(database: Database): Promise<Shapes> {
  const isMysql = database.engine === "mysql";
  const schema = isMysql ? sql`database()` : sql`current_schema()`;
  const { rows } = await database.query((db) =>
    sql<{ readonly name: string }>`select table_name as name from information_schema.tables
      where table_schema = ${schema} order by table_name`.execute(db)
  );
  const shapes: [string, TableShape][] = [];
  for (const { name } of rows) {
    shapes.push([name, isMysql ? await statementOf(database, name) : await partsOf(database, name)]);
  }
  return Object.fromEntries(shapes);
}

async function statementOf(database: Database, name: string): Promise<TableShape> {
  const { rows } = await database.query((db) =>
    sql<Record<string, string>>`show create table ${sql.table(name)}`.execute(db)
  );
  return { statement: rows[0]?.["Create Table"] ?? "" };
}

async function partsOf(database: Database, name: string): Promise<TableShape> {
  type Row = { readonly name: string; readonly value: string };
  const asked = async (query: ReturnType<typeof sql<Row>>) =>
    (await database.query((db) => query.execute(db))).rows.map((row) => [row.name, row.value] as const);
  const table = sql`to_regclass(${name})`;
  return {
    columns: Object.fromEntries(
      await asked(sql<Row>`select a.attname as name, format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as value from pg_attribute a
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped order by a.attname`),
    ),
    constraints: Object.fromEntries(
      await asked(sql<Row>`select conname as name, pg_get_constraintdef(oid) as value from pg_constraint
        where conrelid = ${table} and contype <> 'n' order by conname`),
    ),
    indexes: (await asked(sql<Row>`select c.relname as name, pg_get_indexdef(i.indexrelid) as value from pg_index i
      join pg_class c on c.oid = i.indexrelid where i.indrelid = ${table}
      and not exists (select 1 from pg_constraint where conindid = i.indexrelid and conrelid = i.indrelid)
      order by c.relname`)).map(([, value]) => value),
  };
}

/** Makes tables of such shapes. Those that others refer to come first by their names. */
export async function makeTables(database: Database, shapes: Shapes): Promise<void> {
  const run = (statement: string) => database.query((db) => sql.raw(statement).execute(db));
  for (const [name, { columns = {}, constraints = {}, indexes = [], statement }] of Object.entries(shapes)) {
    if (statement) {
      await run(statement);
      continue;
    }
    await run(`create table ${name} (${Object.entries(columns).map((column) => column.join(" ")).join(", ")})`);
    for (const [own, told] of Object.entries(constraints)) {
      await run(`alter table ${name} add constraint ${own} ${told}`);
    }
    for (const index of indexes) await run(index);
  }
}
