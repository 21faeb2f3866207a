/** What becomes of work when its connection breaks, and of connections by TLS, at real servers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Kysely, sql } from "kysely";
import type { PostgresqlSettings } from "../api/mod.ts";
import { systemClock } from "../clock/mod.ts";
import { ownCertificate } from "../x509/mod.ts";
import type { Database } from "./database.ts";
import { DatabaseError } from "./database_error.ts";
import { openDatabase } from "./open_database.ts";
import { connect, SERVER_KINDS } from "./testing/servers.ts";

type Sql = Kysely<Record<string, never>>;

/** Breaks the connection that a query is asked over. */
async function kill(admin: Database, db: Sql): Promise<void> {
  const isMysql = admin.engine === "mysql";
  const own = isMysql
    ? sql<{ id: number }>`select connection_id() as id`
    : sql<{ id: number }>`select pg_backend_pid() as id`;
  const { rows: [row] } = await own.execute(db);
  const id = sql.raw(String(Number(row?.id)));
  await admin.query((other) => (isMysql ? sql`kill ${id}` : sql`select pg_terminate_backend(${id})`).execute(other));
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("a connection that breaks costs a query nothing, and a transaction all of its work (DB-12)"),
    async fn() {
      await using server = await kind.start();
      await using admin = connect(server);
      await using database = connect(server, { connectionPool: { maxOpenConns: 1 } });
      await admin.query((db) => sql`create table counters (n int not null)`.execute(db));
      let attempts = 0;
      const answer = await database.query<Record<string, never>, string>(async (db) => {
        if (++attempts === 1) await kill(admin, db);
        const { rows: [row] } = await sql<{ told: string }>`select 'told' as told`.execute(db);
        return row?.told ?? "";
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

const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");

Deno.test({
  ...postgresql!.test("TLS is taken where it is offered, demanded, or checked, as sslMode says (DB-16)"),
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
    await admin.query(async (db) => {
      for (;;) {
        const { rows: [row] } = await sql<{ ssl: string }>`show ssl`.execute(db);
        if (row?.ssl === "on") return;
      }
    });
    assertEquals([await isSafe({}), await isSafe({ ssl: true })], [false, true]);
    assertEquals(await isSafe({ ssl: true, sslMode: "require" }), true);
    // Nobody whom this machine trusts has signed it, and it is another name's.
    const { message } = await assertRejects(() => isSafe({ ssl: true, sslMode: "verify-full" }), Error);
    assert(/certificate|self|issuer|unknown/i.test(message), message);
  },
});
