/** Callers of one pool when another caller discards it, with SQLite. */
import { assertEquals } from "@std/assert";
import { type Kysely, sql } from "kysely";
import { systemClock } from "@tiphys/base/clock";
import { PooledDatabase } from "./pooled_database.ts";
import { createReconnection } from "./reconnection.ts";
import { sqlite } from "./sqlite.ts";

/** A database that counts the logins, one for each new pool. */
function pooled(path: string) {
  const logins: number[] = [];
  const database = new PooledDatabase({
    engine: "sqlite",
    place: "SQLite",
    dialects: sqlite(path),
    login: () => Promise.resolve({ user: undefined, password: undefined, token: void logins.push(logins.length) }),
    clock: systemClock,
    pool: { maxOpen: 2, idleSeconds: 60, lifeSeconds: undefined, connectTimeoutSeconds: 5 },
    reconnection: createReconnection(undefined),
  });
  return { database, logins };
}

const select = async (db: Kysely<Record<string, never>>) =>
  (await sql<{ n: number }>`select 1 as n`.execute(db)).rows[0]?.n;

const refusal = () => Object.assign(new Error("password authentication failed"), { code: "28P01" });

Deno.test("PooledDatabase: a broken connection is retried without discarding the pool of other callers", async () => {
  const { database, logins } = pooled(":memory:");
  await using _closed = database;
  let attempts = 0;
  const answer = await database.query<Record<string, never>, unknown>((db) => {
    if (++attempts === 1) throw Object.assign(new Error("it broke"), { code: "ECONNRESET" });
    return select(db);
  });
  assertEquals([answer, attempts, logins.length], [1, 2, 1]);
});

Deno.test("PooledDatabase: a caller whose pool was discarded after a rejected login uses the next pool", async () => {
  const { database, logins } = pooled(":memory:");
  await using _closed = database;
  const [begun, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let attempts = 0;
  const bystander = database.query<Record<string, never>, unknown>(async (db) => {
    // A pool without queries is not open and cannot be discarded.
    await select(db);
    begun.resolve();
    await again.promise;
    return await select(db);
  });
  await begun.promise;
  await database.query<Record<string, never>, unknown>((db) => {
    if (++attempts === 1) throw refusal();
    again.resolve();
    return select(db);
  });
  assertEquals([await bystander, attempts, logins.length], [1, 2, 2]);
});

Deno.test("PooledDatabase: a late rejection does not discard a newer pool", async () => {
  const { database, logins } = pooled(":memory:");
  await using _closed = database;
  const [begun, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const attempts = { late: 0, early: 0 };
  const late = database.query<Record<string, never>, unknown>(async (db) => {
    if (++attempts.late > 1) return await select(db);
    begun.resolve();
    await again.promise;
    throw refusal();
  });
  await begun.promise;
  await database.query<Record<string, never>, unknown>(async (db) => {
    if (++attempts.early === 1) throw refusal();
    again.resolve();
    await late;
    return await select(db);
  });
  assertEquals([attempts, logins.length], [{ late: 2, early: 2 }, 2]);
});
