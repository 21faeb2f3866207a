/** Logins with cloud tokens, with a real PostgreSQL that accepts the token as password, and fakes of the clouds. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "kysely";
import type { PostgresqlSettings } from "@tiphys/model/api";
import { presignUrl } from "@tiphys/stores/s3/signature";
import { systemClock } from "@tiphys/base/clock";
import { cloudTokens } from "./cloud_login.ts";
import { DatabaseError } from "./database_error.ts";
import { openDatabase } from "./open_database.ts";
import { connect, SERVER_KINDS, type TestServer } from "./testing/servers.ts";

const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");

/** The settings of a server without its password. */
function settingsOf({ settings }: TestServer, more: Partial<PostgresqlSettings>): { postgresql: PostgresqlSettings } {
  const { passwordSecret: _, ...server } = settings.postgresql!;
  return { postgresql: { ...server, ...more } };
}

const select = (database: ReturnType<typeof openDatabase>) => database.query((db) => sql`select 1`.execute(db));

Deno.test({
  ...postgresql!.test(
    "cloud login: a token of Azure's managed identity is the password, and a rejected one is fetched again",
  ),
  async fn() {
    await using server = await postgresql!.start();
    const asked: string[] = [];
    const tokens = ["refused-token-1", await server.secret("login", "password")];
    const identity = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      asked.push(new URL(request.url).searchParams.get("resource") ?? "");
      assertEquals(request.headers.get("x-identity-header"), "h");
      return Response.json({ access_token: tokens.shift() ?? "refused-token-2", expires_in: 3600 });
    });
    const variables: Record<string, string> = {
      IDENTITY_ENDPOINT: `http://127.0.0.1:${identity.addr.port}/msi/token`,
      IDENTITY_HEADER: "h",
    };
    const world = { clock: systemClock, secret: server.secret, env: (name: string) => variables[name] };
    const settings = settingsOf(server, { azureToken: { enabled: true } });
    {
      await using database = openDatabase(settings, world);
      await select(database);
      await Promise.all([select(database), select(database)]);
      const resource = "https://ossrdbms-aad.database.windows.net/";
      assertEquals(asked, [resource, resource]);
    }
    {
      const scope = "https://own/.default";
      await using refused = openDatabase(settingsOf(server, { azureToken: { enabled: true, scope } }), world);
      const error = await assertRejects(() => select(refused), DatabaseError);
      assertEquals([error.sort, asked.slice(2)], ["credentials", ["https://own/", "https://own/"]]);
      assert(!error.message.includes("refused-token"), error.message);
    }
    await identity.shutdown();
    await using without = openDatabase(
      { ...settings, reconnectionConfig: { maxRetries: 1 } },
      { ...world, env: (name) => name === "IDENTITY_ENDPOINT" ? "http://127.0.0.1:1/" : variables[name] },
    );
    const error = await assertRejects(() => select(without), DatabaseError, "No token to log in with");
    assertEquals(error.sort, "unreachable");
  },
});

Deno.test({
  ...postgresql!.test("cloud login: a token of AWS is signed for server, port and user at the time of each connection"),
  async fn() {
    await using server = await postgresql!.start();
    const { host, port } = server.settings.postgresql!;
    const keys = { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
    let time = Date.UTC(2026, 10, 1);
    const tokenOf = () =>
      presignUrl(
        { host: `${host}:${port}`, path: "/", query: [["Action", "connect"], ["DBUser", "iam"]], seconds: 900 },
        keys,
        { service: "rds-db", region: "eu-central-1", at: time },
      );
    await using admin = connect(server);
    const expect = async (word: string) => {
      const token = tokenOf();
      await admin.query((db) => sql`${sql.raw(word)} role iam login password ${sql.lit(token)}`.execute(db));
    };
    await expect("create");
    const variables: Record<string, string> = {
      AWS_ACCESS_KEY_ID: keys.accessKey,
      AWS_SECRET_ACCESS_KEY: keys.secretKey,
    };
    await using database = openDatabase(
      settingsOf(server, { ssl: true, awsRDSToken: { enabled: true, region: "eu-central-1" } }),
      {
        clock: { ...systemClock, now: () => time },
        secret: () => Promise.resolve("iam"),
        env: (name) => variables[name],
      },
    );
    await select(database);
    time += 3_600_000;
    await expect("alter");
    // Two concurrent queries open a second connection, which needs another token.
    await Promise.all([select(database), select(database)]);
    time += 3_600_000;
    await using refused = openDatabase(
      settingsOf(server, { ssl: true, awsRDSToken: { enabled: true, region: "eu-central-1" } }),
      {
        clock: { ...systemClock, now: () => time },
        secret: () => Promise.resolve("iam"),
        env: (name) => variables[name],
      },
    );
    const { sort, message } = await assertRejects(() => select(refused), DatabaseError);
    assertEquals(sort, "credentials");
    assert(!message.includes("X-Amz"), message);
  },
});

Deno.test("cloud login: rejects settings that cannot work before connecting", () => {
  const world = { clock: systemClock, secret: () => Promise.resolve("") };
  const server = { host: "h", database: "d" };
  const cases: [PostgresqlSettings, string][] = [
    [{ ...server, ssl: true, azureToken: { enabled: true }, awsRDSToken: { enabled: true } }, "got both"],
    [{ ...server, awsRDSToken: { enabled: true } }, "postgresql.awsRDSToken: requires `ssl: true`"],
  ];
  for (const [settings, words] of cases) {
    let said = "nothing was said";
    try {
      openDatabase({ postgresql: settings }, world);
    } catch (error) {
      said = String(error);
    }
    assert(said.includes(words), said);
  }
});

const AZURE: PostgresqlSettings = { host: "h", database: "d", azureToken: { enabled: true } };

/** Returns the error of fetching a token when the managed identity service responds with `answer`. */
async function refusalOf(
  answer: (deadline: AbortController) => Response | Promise<Response>,
  atLast = () => {},
): Promise<DatabaseError> {
  const deadline = new AbortController();
  const identity = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => answer(deadline));
  const variables: Record<string, string> = {
    IDENTITY_ENDPOINT: `http://127.0.0.1:${identity.addr.port}/msi/token`,
    IDENTITY_HEADER: "h",
  };
  using tokens = cloudTokens(AZURE, { env: (name) => variables[name], now: () => 0, deadline: () => deadline.signal });
  const error = await assertRejects(() => tokens.token(""), DatabaseError, "No token to log in with");
  atLast();
  await identity.shutdown();
  return error;
}

Deno.test("cloud login: a token service without a valid response is retried later", async () => {
  const answered = Promise.withResolvers<Response>();
  const hanging = await refusalOf((deadline) => {
    deadline.abort(new DOMException("Signal timed out.", "TimeoutError"));
    return answered.promise;
  }, () => answered.resolve(new Response()));
  assertEquals([hanging.sort, hanging.message.includes("did not respond")], ["unreachable", true]);
  const page = await refusalOf(() => new Response("<html>Log in to this network</html>"));
  assertEquals([page.sort, page.message.includes("not JSON")], ["unreachable", true]);
});

Deno.test("cloud login: the error of missing AWS credentials does not mention artifact stores", async () => {
  const settings: PostgresqlSettings = {
    host: "h",
    database: "d",
    awsRDSToken: { enabled: true, region: "eu-west-1" },
  };
  const env = (name: string) => name === "AWS_EC2_METADATA_DISABLED" ? "true" : undefined;
  using tokens = cloudTokens(settings, { env, now: () => 0 });
  const { message, sort } = await assertRejects(() => tokens.token("iam"), DatabaseError, "no credentials of AWS");
  assertEquals([sort, /s3|SecretKey/i.test(message)], ["credentials", false], message);
});
