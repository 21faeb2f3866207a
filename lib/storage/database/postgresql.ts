/** PostgreSQL with kysely and `postgres`. */
import { type PostgresCursor, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from "kysely";
import type { Row } from "postgres";
import type { PostgresqlSettings } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { Login, MakeDialects, PoolEnvironment } from "./connection.ts";
import { databaseError } from "./database_error.ts";
import { type Session, SessionPool } from "./session_pool.ts";

/** JSON and times remain text: readers know the types of their columns. */
const TEXT_TYPES = [["json", 114, [114, 3802]], ["timestamp", 1114, [1082, 1114, 1184]]] as const;

/** Returns the dialects of a server. */
export function postgresql(settings: PostgresqlSettings): MakeDialects {
  return async (login, world) => {
    const { default: postgres } = await import("postgres");
    const pool = new SessionPool((onBroken) => openSession(postgres, { settings, login, onBroken, ...world }), world);
    const dialect = (until?: AbortSignal) =>
      new PostgresDialect({
        pool: {
          options: {},
          async connect() {
            const session = await pool.acquire(until);
            return { query: session.query, release: (isSpent) => pool.release(session, isSpent) };
          },
          end: () => pool.close(),
        },
      });
    return { usual: dialect(), until: dialect };
  };
}

interface OpenOptions extends PoolEnvironment {
  readonly settings: PostgresqlSettings;
  readonly login: Login;
  readonly onBroken: () => void;
}

interface PostgresqlSession extends Session {
  readonly query: PostgresPoolClient["query"];
}

/** Opens a client with one connection, which is reserved for its lifetime, so that it reports its own failure. */
async function openSession(
  postgres: typeof import("postgres"),
  { settings, login, pool, onBroken }: OpenOptions,
): Promise<PostgresqlSession> {
  // Fetched first: the library requests a password in an unawaited promise, whose rejection would end the process.
  const password = await login.token?.() ?? login.password ?? "";
  let broken: unknown;
  const breaks = (error: unknown) => {
    broken ??= error;
    onBroken();
  };
  const sql = postgres({
    host: settings.host,
    port: settings.port ?? 5432,
    database: settings.database,
    username: login.user ?? "",
    // An empty password is read from the environment unless it is a function.
    password: () => password,
    ssl: tls(settings),
    max: 1,
    max_lifetime: null,
    connect_timeout: pool.connectTimeoutSeconds,
    backoff: () => 0,
    // Without its type query, the library never returns a connection that is reserved first.
    fetch_types: true,
    onnotice: () => {},
    onclose: () => breaks(new Error("the connection was closed")),
    connection: { TimeZone: "UTC", application_name: "tiphys" },
    types: Object.fromEntries(
      TEXT_TYPES.map(([name, to, from]) => [name, { to, from: [...from], serialize: String, parse: String }]),
    ),
  });
  const close = () => sql.end({ timeout: 1 });
  const session = await sql.reserve().catch(async (error) => {
    await close();
    throw error;
  });
  async function runQuery<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The library would crash the process.
    if (broken !== undefined) rethrow(broken);
    const rows = await session.unsafe<(R & Row)[]>(text, parameters.map(asParameter)).catch((error) => {
      if (isBroken(error)) breaks(error);
      return rethrow(error);
    });
    return { command: commandOf(rows.command), rowCount: rows.count, rows: [...rows] };
  }
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(text: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof text === "string" ? runQuery<R>(text, parameters) : text;
  }
  return {
    query,
    close() {
      // Releasing avoids waiting for a reserved idle connection.
      if (broken === undefined) session.release();
      broken ??= new Error("the connection was closed");
      return close();
    },
  };
}

/** Whether an error means that the connection is broken; further queries on it would never end. */
function isBroken(error: unknown): boolean {
  return databaseError(error, "", String).sort === "unreachable";
}

/**
 * Converts an error of the library to one with a writable stack, to which kysely appends.
 * @throws {Error} always.
 */
function rethrow(error: unknown): never {
  const { message, code } = fieldsOf(error);
  throw Object.assign(new Error(typeof message === "string" ? message : String(error)), { code });
}

/** Commands that change rows, for which kysely needs the number of rows. */
const CHANGING_COMMANDS = ["INSERT", "UPDATE", "DELETE", "MERGE"] as const;

function commandOf(word: string): (typeof CHANGING_COMMANDS)[number] | "SELECT" {
  return CHANGING_COMMANDS.find((change) => change === word) ?? "SELECT";
}

/**
 * Converts `sslMode` with the meaning of libpq: no TLS without `ssl`; TLS if offered without a mode, and also for a
 * token of Azure, as in Argo.
 */
function tls({ ssl = false, sslMode, azureToken }: PostgresqlSettings) {
  if (!ssl) return azureToken?.enabled ? "prefer" : false;
  switch (sslMode || "prefer") {
    case "disable":
      return false;
    case "require":
      return "require";
    case "verify-ca":
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case "verify-full":
      return "verify-full";
    default:
      return "prefer";
  }
}

function asParameter(value: unknown) {
  return value as string | number | boolean | null;
}
