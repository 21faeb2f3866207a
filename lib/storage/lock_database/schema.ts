/** The lock tables, as Argo creates them. */
import { type Database, type Engine, prepareSchema, type SchemaOptions } from "../database/mod.ts";
import type { TableNames } from "./tables.ts";

/** The schema version of Argo 4.1, which has applied the migrations 0 to 10. */
const VERSION = 10;

/**
 * Creates missing tables.
 * @throws {UserError} when they have an older version, or are missing and may not be created.
 * @throws {DatabaseError}
 */
export async function prepareLocks(database: Database, names: TableNames, options: SchemaOptions): Promise<void> {
  const statements = (engine: Engine) => definition(engine, names);
  await prepareSchema(
    database,
    { what: "the database of locks", history: "sync_schema_history", version: VERSION, statements },
    options,
  );
}

/** An index of a table: its name, its column, and whether it is unique. */
type Index = readonly [name: string, column: string, unique: "unique " | ""];

function definition(engine: Engine, { limit, state, controller, lock }: TableNames): string[] {
  // Old MariaDB servers would update a non-null timestamp at each change of its row.
  const time = engine === "mysql" ? "time timestamp null" : "time timestamp";
  return [
    ...table(engine, limit, ["name varchar(256) not null", "sizelimit int", "primary key (name)"], [
      ["ilimit_name", "name", "unique "],
    ]),
    ...table(engine, controller, ["controller varchar(64) not null", time, "primary key (controller)"], [
      ["icontroller_name", "controller", "unique "],
    ]),
    ...table(engine, state, [
      "name varchar(256) not null",
      "workflowkey varchar(256) not null",
      "controller varchar(64) not null",
      "held boolean",
      "priority int",
      time,
      "primary key (name, workflowkey, controller)",
    ], [
      ["istate_name", "name", ""],
      ["istate_workflowkey", "workflowkey", ""],
      ["istate_controller", "controller", ""],
      ["istate_held", "held", ""],
    ]),
    ...table(engine, lock, [
      "name varchar(256) not null",
      "controller varchar(64) not null",
      time,
      "primary key (name)",
    ], [["ilock_name", "name", "unique "]]),
  ];
}

/**
 * Returns the statements of one table with its indexes. MySQL has no `if not exists` for indexes, so they are part of
 * the table.
 */
function table(engine: Engine, name: string, parts: readonly string[], indexes: readonly Index[]): string[] {
  const isMysql = engine === "mysql";
  const inside = isMysql ? indexes.map(([index, column, unique]) => `${unique}index ${index} (${column})`) : [];
  const after = isMysql
    ? []
    : indexes.map(([index, column, unique]) => `create ${unique}index if not exists ${index} on ${name} (${column})`);
  // Names are case-sensitive.
  const ofTable = isMysql ? " character set utf8mb4 collate utf8mb4_bin" : "";
  return [`create table if not exists ${name} (${[...parts, ...inside].join(", ")})${ofTable}`, ...after];
}
