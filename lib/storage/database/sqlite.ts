/** SQLite by `node:sqlite`, behind kysely. */
import { SqliteDialect } from "kysely";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { MakeDialects } from "./connection.ts";

/**
 * For how long is waited in place while another connection holds the file, milliseconds: all of this process waits with it,
 * and so does another connection of this process. What finds the file held for longer is tried again.
 */
const PATIENCE = 50;

/** The dialect of a file, or of `:memory:`. Several processes may have the file open; one of them writes at a time. */
export function sqlite(file: string): MakeDialects {
  return () => Promise.resolve({ usual: new SqliteDialect({ database: () => Promise.resolve(open(file)) }) });
}

function open(file: string) {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      `PRAGMA busy_timeout = ${PATIENCE}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      // A transaction that reads first and writes then could not wait for another writer.
      const statement = database.prepare(sql === "begin" ? "begin immediate" : sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...parameters.map(asInput)),
        run: (parameters: readonly unknown[]) => statement.run(...parameters.map(asInput)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...parameters.map(asInput)),
      };
    },
  };
}

function asInput(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value as SQLInputValue;
}
