/** Broken connections, and TLS connections, with real servers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Kysely, sql } from "kysely";
import type { PostgresqlSettings } from "@tiphys/model/api";
import { pause, systemClock } from "@tiphys/base/clock";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { ownCertificate } from "@tiphys/base/x509";
import type { Database } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { openDatabase } from "./open_database.ts";
import { PooledDatabase } from "./pooled_database.ts";
import { postgresql as postgresqlDialect } from "./postgresql.ts";
import { createReconnection } from "./reconnection.ts";
import { connect, SERVER_KINDS } from "./testing/servers.ts";

type Sql = Kysely<Record<string, never>>;

/** Breaks the connection of a query. */
async function kill(admin: Database, db: Sql): Promise<void> {
  const isMysql = admin.engine === "mysql";
  const own = isMysql
    ? sql<{ id: number }>`select connection_id() as id`
    : sql<{ id: number }>`select pg_backend_pid() as id`;
  const { rows: [row] } = await own.execute(db);
  const id = sql.raw(String(Number(row?.id)));
  await admin.query((other) => (isMysql ? sql`kill ${id}` : sql`select pg_terminate_backend(${id})`).execute(other));
}

/** Polls until a condition holds. */
async function pollUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let asked = 0; asked < MAX_QUERIES; asked++) {
    if (await isSo()) return;
    await pause(systemClock, 20);
  }
  throw new Error(`It is not so after ${MAX_QUERIES} questions`);
}

const MAX_QUERIES = 1000;

/** Returns the number of connections of a server, including that of `admin`. */
async function connections(admin: Database): Promise<number> {
  const count = admin.engine === "mysql"
    ? sql<{ n: number }>`select count(*) as n from information_schema.processlist where user = 'argo'`
    : sql<{ n: number }>`select count(*) as n from pg_stat_activity where usename = 'argo'`;
  const { rows: [row] } = await admin.query((db) => count.execute(db));
  return Number(row?.n);
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("database: a query is retried after its connection broke, and a transaction fails (DB-12)"),
    async fn() {
      await using server = await kind.start();
      await using admin = connect(server);
      await using database = connect(server, { connectionPool: { maxOpenConns: 1 } });
      await admin.query((db) => sql`create table counters (n int not null)`.execute(db));
      let attempts = 0;
      const answer = await database.query<Record<string, never>, string>(async (db) => {
        if (++attempts === 1) await kill(admin, db);
        const { rows: [row] } = await sql<{ value: string }>`select 'told' as value`.execute(db);
        return row?.value ?? "";
      });
      assertEquals(answer, "told");
      const work = (isKilled: boolean) =>
        database.transaction<Record<string, never>, void>(async (tx) => {
          await sql`insert into counters values (1)`.execute(tx);
          if (isKilled) await kill(admin, tx);
          await sql`insert into counters values (2)`.execute(tx);
        });
      const { sort } = await assertRejects(() => work(true), DatabaseError);
      assertEquals(sort, "unreachable");
      const count = async () => {
        const { rows } = await admin.query((db) => sql`select n from counters`.execute(db));
        return rows.length;
      };
      assertEquals(await count(), 0);
      await work(false);
      assertEquals(await count(), 2);
    },
  });
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("database: an idle connection is closed without affecting a transaction on another"),
    async fn() {
      await using server = await kind.start();
      await using admin = connect(server);
      const clock = fakeClock();
      await using database = openDatabase(server.settings, { clock, secret: server.secret });
      const alone = await connections(admin);
      await admin.query((db) => sql`create table counters (n int not null)`.execute(db));
      await database.transaction(async (tx) => {
        await sql`insert into counters values (1)`.execute(tx);
        await database.query((db) => sql`select 1`.execute(db));
        assertEquals(await connections(admin), alone + 2);
        clock.advance(3_600_000);
        await pollUntil(async () => await connections(admin) === alone + 1);
        await sql`insert into counters values (2)`.execute(tx);
      });
      const { rows } = await admin.query((db) => sql`select n from counters`.execute(db));
      assertEquals(rows.length, 2);
    },
  });
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("database: an aborted query ends immediately, and its connection is available again"),
    async fn() {
      await using server = await kind.start();
      await using admin = connect(server);
      await using database = connect(server, { connectionPool: { maxOpenConns: 1 } });
      const isMysql = server.engine === "mysql";
      const waiting = isMysql
        ? sql<{ n: number }>`select count(*) as n from information_schema.processlist where info like 'select sleep(%'`
        : sql<{ n: number }>`select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'`;
      const isAsleep = async () => Number((await admin.query((db) => waiting.execute(db))).rows[0]?.n) === 1;
      const giveUp = new AbortController();
      const endless = assertRejects(
        () =>
          database.query(
            (db) => (isMysql ? sql`select sleep(3600)` : sql`select pg_sleep(3600)`).execute(db),
            giveUp.signal,
          ),
        DatabaseError,
        "no response",
      );
      const next = database.query((db) => sql<{ value: string }>`select 'told' as value`.execute(db));
      await pollUntil(isAsleep);
      giveUp.abort();
      await endless;
      assertEquals((await next).rows[0]?.value, "told");
      await assertRejects(() => database.query(() => Promise.resolve(), giveUp.signal), DatabaseError);
    },
  });
}

const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");

Deno.test({
  ...postgresql!.test("database: sslMode determines whether TLS is preferred, required or verified (DB-16)"),
  async fn() {
    await using server = await postgresql!.start();
    const world = { clock: systemClock, secret: server.secret };
    const isSafe = async (more: Partial<PostgresqlSettings>) => {
      const settings = {
        postgresql: { ...server.settings.postgresql!, ...more },
        reconnectionConfig: { maxRetries: 1 },
      };
      await using database = openDatabase(settings, world);
      const { rows: [row] } = await database.query((db) =>
        sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
      );
      return row?.ssl;
    };
    assertEquals([await isSafe({}), await isSafe({ ssl: true })], [false, false]);
    await assertRejects(() => isSafe({ ssl: true, sslMode: "require" }), DatabaseError);
    await using admin = connect(server);
    const { cert, key } = ownCertificate("db.example", new Date());
    for (const [name, text] of [["server.crt", cert], ["server.key", key]] as const) {
      const program = sql.lit(`umask 077; base64 -d > ${name}`);
      await admin.query((db) => sql`copy (select ${sql.lit(btoa(text))}) to program ${program}`.execute(db));
    }
    await admin.query((db) => sql`alter system set ssl = on`.execute(db));
    await admin.query((db) => sql`select pg_reload_conf()`.execute(db));
    await pollUntil(async () => {
      const { rows: [row] } = await admin.query((db) => sql<{ ssl: string }>`show ssl`.execute(db));
      return row?.ssl === "on";
    });
    assertEquals([await isSafe({}), await isSafe({ ssl: true })], [false, true]);
    assertEquals(await isSafe({ ssl: true, sslMode: "require" }), true);
    // It is signed by an untrusted authority and has another name.
    const { message } = await assertRejects(() => isSafe({ ssl: true, sslMode: "verify-full" }), Error);
    assert(/certificate|self|issuer|unknown/i.test(message), message);
  },
});

Deno.test({
  ...postgresql!.test("database: each new connection requests a token; open connections continue without a new token"),
  async fn() {
    await using server = await postgresql!.start();
    const [user, password] = [await server.secret("login", "user"), await server.secret("login", "password")];
    let asked = 0;
    let hasTokens = true;
    await using database = new PooledDatabase({
      engine: "postgresql",
      place: "PostgreSQL",
      dialects: postgresqlDialect(server.settings.postgresql!),
      login: () =>
        Promise.resolve({
          user,
          password: undefined,
          token() {
            asked++;
            return hasTokens ? Promise.resolve(password) : Promise.reject(new DatabaseError("No token", "credentials"));
          },
        }),
      clock: systemClock,
      pool: { maxOpen: 3, idleSeconds: 60, lifeSeconds: undefined, connectTimeoutSeconds: 5 },
      reconnection: createReconnection(undefined),
    });
    const select = (db: Sql) => sql`select 1`.execute(db);
    for (const _ of [1, 2, 3]) await database.query(select);
    assertEquals(asked, 1);
    await database.transaction<Record<string, never>, void>(async (tx) => {
      await database.query(select);
      assertEquals(asked, 2);
      await database.transaction<Record<string, never>, void>(async (inner) => {
        hasTokens = false;
        await assertRejects(() => database.query(select), DatabaseError, "No token");
        await select(inner);
      });
      await select(tx);
    });
  },
});
