/** Creating tables in a scripted MySQL: the creator must hold its lock. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type QueryResult,
} from "kysely";
import { silentLog } from "@tiphys/base/log";
import type { Database } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { prepareSchema, type Schema } from "./schema_history.ts";

/** A database that returns one value after another for lock requests, and no rows otherwise. */
function mysqlThatAnswers(locks: readonly (number | null)[]) {
  const asked: string[] = [];
  const left = [...locks];
  const connection: DatabaseConnection = {
    executeQuery<R>({ sql }: { readonly sql: string }): Promise<QueryResult<R>> {
      asked.push(sql);
      const rows: unknown[] = sql.includes("get_lock") ? [{ got: left.length > 0 ? left.shift() : 0 }] : [];
      return Promise.resolve({ rows: rows as R[] });
    },
    async *streamQuery() {},
  };
  const nothing = () => Promise.resolve();
  const driver: Driver = {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  // deno-lint-ignore no-explicit-any
  const kysely = new Kysely<any>({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  });
  const database: Database = {
    engine: "mysql",
    query: (work) => work(kysely),
    transaction: (work) => kysely.transaction().execute(work),
    [Symbol.asyncDispose]: () => kysely.destroy(),
  };
  const count = (word: string) => asked.filter((text) => text.includes(word)).length;
  return { database, count };
}

const SCHEMA: Schema = {
  what: "the archive",
  history: "history",
  version: 1,
  statements: () => ["create table made (n int)"],
};

const prepare = (database: Database) => prepareSchema(database, SCHEMA, { log: silentLog });

Deno.test("prepareSchema: creates tables after several attempts to get MySQL's lock, and releases it once", async () => {
  const { database, count } = mysqlThatAnswers([0, 0, 1]);
  await using _closed = database;
  await prepare(database);
  assertEquals([count("get_lock"), count("create table made"), count("release_lock")], [3, 1, 1]);
});

Deno.test("prepareSchema: without the lock, creates no table, releases nothing, and names the lock in the error", async () => {
  for (const [locks, times] of [[[], 10], [[0, null], 2]] as const) {
    const { database, count } = mysqlThatAnswers(locks);
    await using _closed = database;
    const { message } = await assertRejects(() => prepare(database), DatabaseError, "Could not open the archive");
    assert(message.includes('"argo history"'), message);
    assertEquals([count("get_lock"), count("create table"), count("release_lock")], [times, 0, 0]);
  }
});
