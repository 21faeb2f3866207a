/** PostgreSQL by the library `postgres`, behind kysely. */
import { type PostgresCursor, PostgresDialect, type PostgresQueryResult } from "kysely";
import type { Row } from "postgres";
import type { PostgresqlSettings } from "../api/mod.ts";
import { fieldsOf } from "../fields_of.ts";
import type { Login, MakeDialect, Pool } from "./connection.ts";
import { databaseError } from "./database_error.ts";

/** JSON stays a text, and times stay as the server writes them: readers know the types of their columns. */
const TEXTS = [["json", 114, [114, 3802]], ["timestamp", 1114, [1082, 1114, 1184]]] as const;

/** The dialect of a server. */
export function postgresql(settings: PostgresqlSettings): MakeDialect {
  return async (login, pool) => new PostgresDialect({ pool: await connectionPool(settings, login, pool) });
}

async function connectionPool(settings: PostgresqlSettings, login: Login, pool: Pool) {
  const { default: postgres } = await import("postgres");
  let token: string | undefined;
  /** Connections that somebody holds and that are asked nothing just now. */
  const waiting = new Set<{ broken?: unknown }>();
  const sql = postgres({
    host: settings.host,
    port: settings.port ?? 5432,
    database: settings.database,
    username: login.user ?? "",
    // An empty password would be looked up in the environment of the program.
    password: () => token ?? login.password ?? "",
    ssl: tls(settings),
    max: pool.maxOpen,
    idle_timeout: pool.idleSeconds,
    max_lifetime: pool.lifeSeconds ?? null,
    connect_timeout: pool.connectTimeoutSeconds,
    backoff: () => 0,
    // Without its query about types the library never hands out a connection that is reserved first.
    fetch_types: true,
    onnotice: () => {},
    // Which one was closed is not said. A query over it would bring the process down: all that wait are given up.
    onclose() {
      for (const one of waiting) one.broken ??= new Error("the connection was closed");
    },
    connection: { TimeZone: "UTC", application_name: "tiphys" },
    types: Object.fromEntries(
      TEXTS.map(([name, to, from]) => [name, { to, from: [...from], serialize: String, parse: String }]),
    ),
  });
  return {
    options: {},
    async connect() {
      // Fetched before: the library could not bear that there is none.
      token = await login.token?.();
      const session = await sql.reserve();
      const held: { broken?: unknown } = {};
      async function queried<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
        waiting.delete(held);
        if (held.broken !== undefined) rethrow(held.broken);
        const rows = await session.unsafe<(R & Row)[]>(text, parameters.map(asParameter)).catch((error) => {
          if (isBroken(error)) held.broken = error;
          return rethrow(error);
        });
        waiting.add(held);
        return { command: commandOf(rows.command), rowCount: rows.count, rows: [...rows] };
      }
      function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
      function query<R>(text: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
        return typeof text === "string" ? queried<R>(text, parameters) : text;
      }
      // The library hands out again what is released, broken or not; what broke and is not released it connects anew.
      const release = () => {
        waiting.delete(held);
        if (held.broken === undefined) session.release();
      };
      return { query, release };
    },
    end: () => sql.end({ timeout: 1 }),
  };
}

/** Whether a connection broke with an error; a query that is asked over it afterwards would wait for ever. */
function isBroken(error: unknown): boolean {
  return databaseError(error, "", String).sort === "unreachable";
}

/**
 * An error of the library becomes one that can be written to: kysely adds to its stack.
 * @throws {Error} always.
 */
function rethrow(error: unknown): never {
  const { message, code } = fieldsOf(error);
  throw Object.assign(new Error(typeof message === "string" ? message : String(error)), { code });
}

/** Commands that change rows: kysely takes the number of rows for those. */
const CHANGES = ["INSERT", "UPDATE", "DELETE", "MERGE"] as const;

function commandOf(word: string): (typeof CHANGES)[number] | "SELECT" {
  return CHANGES.find((change) => change === word) ?? "SELECT";
}

/**
 * The words of `sslMode` as libpq has them: without `ssl` there is no TLS, and without a mode TLS is taken where it is offered;
 * also for a token of Azure, as in Argo.
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
