/** The journal in a SQLite file. */

import { DatabaseSync } from "node:sqlite";
import { type Journal, JournalError, type StoredObject } from "./store.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS objects (
    resource TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (resource, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS removed (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** Another process uses the file. */
export class StoreInUse extends Error {
  override readonly name = "StoreInUse";
}

/** A journal that also stores a few settings of its server. */
export interface SqliteJournal extends Journal {
  readOrCreateSetting(name: string, make: () => string): string;
}

/**
 * Opens the file, or creates it. Each change is a transaction in write-ahead mode. With synchronous=NORMAL it has been
 * passed to the operating system when the call returns, so nothing is lost if the process is killed (a power failure
 * may lose the last changes, but does not corrupt the file). `onNoRoom` is called to free space if a write fails.
 * @throws {StoreInUse} if another process uses the file, Error if it is not a valid store.
 */
export function openSqliteJournal(path: string, onNoRoom: () => boolean = () => false): SqliteJournal {
  const database = openFile(path);
  /** Writes. If that fails and `onNoRoom` has freed space, retries once. */
  function withRoom(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!onNoRoom()) throw writeError(path, error);
      try {
        write();
      } catch (again) {
        throw writeError(path, again);
      }
    }
  }
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(schema);
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes("locked")) {
      throw new StoreInUse(`Could not open the store "${path}": another process is using it`, { cause: error });
    }
    throw new Error(`Could not open the store "${path}": ${messageOf(error)}`, { cause: error });
  }
  const put = database.prepare("INSERT OR REPLACE INTO objects (resource, key, version, text) VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM objects WHERE resource = ? AND key = ?");
  const removed = database.prepare("INSERT OR REPLACE INTO removed (id, version) VALUES (1, ?)");
  return {
    load() {
      const objects = database.prepare("SELECT resource, text FROM objects").all() as {
        resource: string;
        text: string;
      }[];
      const newest = database.prepare(
        "SELECT max(coalesce((SELECT max(version) FROM objects), 1), coalesce((SELECT version FROM removed), 1)) AS v",
      ).get() as { v: number };
      return { version: newest.v, objects };
    },
    put(stored: StoredObject) {
      withRoom(() => put.run(stored.resource, stored.key, stored.version, stored.text));
    },
    remove(stored: StoredObject) {
      withRoom(() => {
        try {
          database.exec("BEGIN");
          remove.run(stored.resource, stored.key);
          removed.run(stored.version);
          database.exec("COMMIT");
        } catch (error) {
          // After some errors SQLite has already rolled back the transaction.
          if (database.isTransaction) database.exec("ROLLBACK");
          throw error;
        }
      });
    },
    readOrCreateSetting(name, make) {
      const found = database.prepare("SELECT value FROM settings WHERE name = ?").get(name) as
        | { value: string }
        | undefined;
      if (found) return found.value;
      const value = make();
      database.prepare("INSERT INTO settings (name, value) VALUES (?, ?)").run(name, value);
      return value;
    },
    close() {
      database.close();
    },
  };
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw new Error(`Could not open the store "${path}": ${messageOf(error)}`, { cause: error });
  }
}

function writeError(path: string, error: unknown): JournalError {
  return new JournalError(`Could not write "${path}": ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
