/** The contract of a database for broken connections and rejected logins, tested on each kind of server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "kysely";
import { systemClock } from "@tiphys/base/clock";
import { DatabaseError } from "./database_error.ts";
import { openDatabase } from "./open_database.ts";
import { createReconnection } from "./reconnection.ts";
import { connect, SERVER_KINDS } from "./testing/servers.ts";

for (const kind of SERVER_KINDS) {
  Deno.test({
    ...kind.test("database: concurrent writers all succeed, times are in UTC, and a changed password is read again"),
    async fn() {
      await using server = await kind.start();
      await using first = connect(server);
      await using two = connect(server);
      await first.query((db) => sql`create table counters (n int not null)`.execute(db));
      await first.query((db) => sql`insert into counters values (0)`.execute(db));
      const add = (database: typeof first) =>
        database.transaction(async (tx) => {
          const { rows: [row] } = await sql<{ n: number }>`select n from counters`.execute(tx);
          await sql`update counters set n = ${Number(row?.n) + 1}`.execute(tx);
        }, { isolation: "serializable" });
      await Promise.all([add(first), add(two), add(first), add(two)]);
      const { rows } = await two.query((db) =>
        sql<{ n: number; now: string }>`select n, current_timestamp as now from counters`.execute(db)
      );
      assertEquals(Number(rows[0]?.n), 4);
      const seen = Date.parse(`${rows[0]?.now.slice(0, 19).replace(" ", "T")}Z`);
      assert(Math.abs(Date.now() - seen) < 600_000, rows[0]?.now);
      if (server.engine !== "sqlite") await rotates(server);
    },
  });
}

/** The first password is wrong, the second one correct: no restart is needed, and no error contains either. */
async function rotates(server: Parameters<typeof connect>[0]): Promise<void> {
  const asked: string[] = [];
  const passwords = ["wrong-password-1", await server.secret("login", "password")];
  const secret = (name: string, key: string) => {
    asked.push(`${name}.${key}`);
    return key === "password" ? Promise.resolve(passwords.shift() ?? "wrong-password-2") : server.secret(name, key);
  };
  await using database = openDatabase(server.settings, { clock: systemClock, secret });
  await database.query((db) => sql`select n from counters`.execute(db));
  assertEquals(asked, ["login.user", "login.password", "login.user", "login.password"]);
  await using refused = openDatabase(server.settings, { clock: systemClock, secret });
  const error = await assertRejects(() => refused.query((db) => sql`select 1`.execute(db)), DatabaseError);
  assertEquals(error.sort, "credentials");
  assert(!/wrong-password|argo/.test(error.message), error.message);
}

Deno.test("createReconnection: has other defaults when the block exists", () => {
  const usual = createReconnection(undefined);
  assertEquals([usual.retries, usual.delay(1), usual.delay(2)], [5, 200, 400]);
  const empty = createReconnection({});
  assertEquals([empty.retries, empty.delay(1), empty.delay(2)], [5, 100, 200]);
  const own = createReconnection({ maxRetries: 2, baseDelaySeconds: 1, maxDelaySeconds: 3, retryMultiple: 2 });
  assertEquals([own.retries, own.delay(1), own.delay(9)], [2, 2000, 3000]);
});

Deno.test("openDatabase: reports unsupported settings before connecting", () => {
  const world = { clock: systemClock, secret: () => Promise.resolve("") };
  const server = { host: "h", database: "d" };
  const cases: [Parameters<typeof openDatabase>[0], string][] = [
    [{}, "the settings name no database"],
    [{ mysql: { ...server, options: { tls: "maybe" } } }, "mysql.options.tls"],
    [{ mysql: { ...server, options: { sql_mode: "1; drop table x" } } }, "mysql.options.sql_mode"],
  ];
  for (const [settings, words] of cases) {
    try {
      openDatabase(settings, world);
    } catch (error) {
      assert(String(error).includes(words), String(error));
      continue;
    }
    throw new Error(`${words}: nothing was said`);
  }
});
