/** SQLite with kysely and `node:sqlite`. */
import { SqliteDialect } from "kysely";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { MakeDialects } from "./connection.ts";

/**
 * Milliseconds of busy waiting while another connection holds the file. It blocks the whole process, including another
 * connection in it. Longer conflicts are retried.
 */
const BUSY_TIMEOUT_MILLIS = 50;

/** Returns the dialect of a file, or of `:memory:`. Several processes may open the file; one writes at a time. */
export function sqlite(file: string): MakeDialects {
  return () => Promise.resolve({ usual: new SqliteDialect({ database: () => Promise.resolve(open(file)) }) });
}

function open(file: string) {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MILLIS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    close: () => database.close(),
    prepare(sql: string) {
      // A transaction that reads before it writes could not wait for another writer.
      const statement = database.prepare(sql === "begin" ? "begin immediate" : sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...parameters.map(toInputValue)),
        run: (parameters: readonly unknown[]) => statement.run(...parameters.map(toInputValue)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...parameters.map(toInputValue)),
      };
    },
  };
}

function toInputValue(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value as SQLInputValue;
}
