/** The making of tables at a MySQL whose answers are written down: who makes them holds its lock. */
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

/** A database that answers what asks for a lock with one value after the other, and everything else with nothing. */
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

Deno.test("tables are made when MySQL has given the lock, however often it was asked, which is released once", async () => {
  const { database, count } = mysqlThatAnswers([0, 0, 1]);
  await using _closed = database;
  await prepare(database);
  assertEquals([count("get_lock"), count("create table made"), count("release_lock")], [3, 1, 1]);
});

Deno.test("without the lock no table is made and none is released: the error names the lock and what was to be opened", async () => {
  for (const [locks, times] of [[[], 10], [[0, null], 2]] as const) {
    const { database, count } = mysqlThatAnswers(locks);
    await using _closed = database;
    const { message } = await assertRejects(() => prepare(database), DatabaseError, "Could not open the archive");
    assert(message.includes('"argo history"'), message);
    assertEquals([count("get_lock"), count("create table"), count("release_lock")], [times, 0, 0]);
  }
});
