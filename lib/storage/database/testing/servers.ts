/** Database servers for tests, each in a dedicated folder. */
import type { DatabaseSettings } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { type Needs, needs } from "../../../base/testing/needs.ts";
import type { Database, Engine } from "../database.ts";
import { openDatabase } from "../open_database.ts";

/** A server that a test started and stops. */
export interface TestServer extends AsyncDisposable {
  readonly engine: Engine;
  /** The settings of the database as in a ConfigMap. */
  readonly settings: DatabaseSettings;
  /** The secret `login` with the keys `user` and `password`. */
  secret(name: string, key: string): Promise<string>;
}

/** A kind of server, if it is installed. */
export interface ServerKind {
  readonly name: string;
  /** Returns the definition of a test that needs it. */
  test(title: string): Needs;
  start(): Promise<TestServer>;
}

/** The place of a server: its listen address, and a command prefix. */
export interface ServerPlace {
  readonly address: string;
  readonly command: readonly string[];
}

/** Connects to a server. */
export function connect(server: TestServer, more: Partial<DatabaseSettings> = {}): Database {
  return openDatabase({ ...server.settings, ...more }, { clock: systemClock, secret: server.secret });
}

const LOGIN = { userNameSecret: { name: "login", key: "user" }, passwordSecret: { name: "login", key: "password" } };
const HOST = "127.0.0.1";
const LOOPBACK: ServerPlace = { address: HOST, command: [] };

/** All kinds of servers. */
export const SERVER_KINDS: readonly ServerKind[] = [
  { name: "SQLite", test: (title) => needs("nothing", true, `SQLite: ${title}`), start: startSqlite },
  {
    name: "PostgreSQL",
    test: (title) => needs("Debian's package postgresql", postgresqlFolder() !== undefined, `PostgreSQL: ${title}`),
    start: () => startPostgresql(),
  },
  {
    name: "MariaDB",
    test: (title) => needs("Debian's package mariadb-server", exists("/usr/sbin/mariadbd"), `MariaDB: ${title}`),
    start: startMariadb,
  },
];

async function startSqlite(): Promise<TestServer> {
  const folder = await Deno.makeTempDir({ prefix: "sqlite" });
  return {
    engine: "sqlite",
    settings: { sqlite: { file: `${folder}/archive.db` } },
    secret: () => Promise.reject(new Error("SQLite needs no secret")),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Starts a PostgreSQL that accepts connections from anywhere. */
export async function startPostgresql({ address, command }: ServerPlace = LOOPBACK): Promise<TestServer> {
  const programs = postgresqlFolder()!;
  const user = "postgres";
  const folder = await folderOf(user);
  const password = crypto.randomUUID();
  await Deno.writeTextFile(`${folder}/password`, password);
  await run(user, [
    `${programs}/initdb`,
    ...["-D", `${folder}/data`, "-U", "argo", "-A", "scram-sha-256", `--pwfile=${folder}/password`],
    ...["--no-sync", "-E", "UTF8", "--locale=C"],
  ]);
  await Deno.writeTextFile(`${folder}/data/pg_hba.conf`, "host all all all scram-sha-256\n");
  const port = freePort();
  const server = spawn(user, [
    `${programs}/postgres`,
    ...["-D", `${folder}/data`, "-h", address, "-p", String(port), "-k", folder, "-F"],
    // The default time zone of sessions differs from UTC, so that a session without our setting is detected.
    ...["-c", "timezone=America/New_York"],
  ], command);
  await waitUntilPrinted(server, "database system is ready to accept connections");
  return {
    engine: "postgresql",
    settings: { postgresql: { host: address, port, database: "postgres", ...LOGIN } },
    secret: (_name, key) => Promise.resolve(key === "user" ? "argo" : password),
    [Symbol.asyncDispose]: () => end(server, "SIGINT", folder),
  };
}

async function startMariadb(): Promise<TestServer> {
  const user = "mysql";
  const folder = await folderOf(user);
  const password = crypto.randomUUID();
  await run(user, [
    "/usr/bin/mariadb-install-db",
    ...["--no-defaults", `--datadir=${folder}/data`, "--skip-test-db", "--auth-root-authentication-method=normal"],
    // Servers number their temporary tables: two in one folder would use each other's.
    `--tmpdir=${folder}`,
  ]);
  await Deno.writeTextFile(
    `${folder}/init.sql`,
    `create database argo;\ncreate user argo@'%' identified by '${password}';\ngrant all on argo.* to argo@'%';\n`,
  );
  const port = freePort();
  const server = spawn(user, [
    "/usr/sbin/mariadbd",
    ...["--no-defaults", `--datadir=${folder}/data`, `--socket=${folder}/socket`, `--bind-address=${HOST}`],
    ...[`--port=${port}`, `--init-file=${folder}/init.sql`, `--tmpdir=${folder}`, "--default-time-zone=-05:00"],
  ]);
  await waitUntilPrinted(server, "ready for connections");
  return {
    engine: "mysql",
    settings: { mysql: { host: HOST, port, database: "argo", ...LOGIN } },
    secret: (_name, key) => Promise.resolve(key === "user" ? "argo" : password),
    [Symbol.asyncDispose]: () => end(server, "SIGTERM", folder),
  };
}

/** Returns the programs of the newest PostgreSQL installed from Debian packages. */
function postgresqlFolder(): string | undefined {
  if (!exists("/usr/lib/postgresql")) return undefined;
  const versions = [...Deno.readDirSync("/usr/lib/postgresql")].map(({ name }) => Number(name)).sort((a, b) => b - a);
  return versions.map((version) => `/usr/lib/postgresql/${version}/bin`).find((bin) => exists(`${bin}/postgres`));
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Creates a folder that the server's user may write: no database server runs as root. */
async function folderOf(user: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "database" });
  if (Deno.uid() === 0) await run(undefined, ["chown", user, folder]);
  return folder;
}

/** Returns a command that runs as a user. */
function asUser(user: string | undefined, line: readonly string[]): readonly string[] {
  if (user === undefined || Deno.uid() !== 0) return line;
  return ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", ...line];
}

async function run(user: string | undefined, line: readonly string[]): Promise<void> {
  const [program = "", ...args] = asUser(user, line);
  const { success, stderr } = await new Deno.Command(program, { args, cwd: "/", stdout: "null", stderr: "piped" })
    .output();
  if (!success) throw new Error(`${line[0]} failed: ${new TextDecoder().decode(stderr)}`);
}

function spawn(user: string, line: readonly string[], before: readonly string[] = []): Deno.ChildProcess {
  const [program = "", ...args] = [...before, ...asUser(user, line)];
  return new Deno.Command(program, { args, cwd: "/", stdout: "null", stderr: "piped" }).spawn();
}

/** Resolves when a server has printed a text; further output is discarded. */
async function waitUntilPrinted(server: Deno.ChildProcess, words: string): Promise<void> {
  const heard = Promise.withResolvers<void>();
  let text = "";
  const reading = server.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(chunk) {
        text = (text + chunk).slice(-10_000);
        if (text.includes(words)) heard.resolve();
      },
    }),
  );
  reading.then(() => heard.reject(new Error(`The server ended: ${text}`)), heard.reject);
  await heard.promise;
}

async function end(server: Deno.ChildProcess, signal: Deno.Signal, folder: string): Promise<void> {
  server.kill(signal);
  await server.status;
  await Deno.remove(folder, { recursive: true });
}

/** Returns a port without a listener. */
function freePort(): number {
  using listener = Deno.listen({ hostname: HOST, port: 0 });
  return listener.addr.port;
}
