/** Opens the database of the settings. */
import { type DatabaseSettings, type PostgresqlSettings, ttlMillis } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { UserError } from "@tiphys/base/user_error";
import type { CloudTokens } from "./cloud_login.ts";
import type { Login, MakeDialects, Pool } from "./connection.ts";
import type { Database, Engine } from "./database.ts";
import { mysql } from "./mysql.ts";
import { PooledDatabase } from "./pooled_database.ts";
import { postgresql } from "./postgresql.ts";
import { createReconnection } from "./reconnection.ts";
import { sqlite } from "./sqlite.ts";

/** The dependencies of a database. */
export interface DatabaseEnvironment {
  readonly clock: Clock;
  /** Returns the value of a key of a Secret in the controller's namespace; called again when the server rejects it. */
  secret(name: string, key: string): Promise<string>;
  /** Returns an environment variable of this process, for cloud tokens. */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/** Default maximum number of connections; Argo's default is unlimited. */
const DEFAULT_CONNECTIONS = 10;

/** Seconds for which an idle connection is kept. */
const IDLE_SECONDS = 60;

/**
 * Returns a database that connects on its first query. If several are configured, PostgreSQL takes precedence, as in
 * Argo.
 * @throws {UserError} when the settings have no database, or an unsupported option.
 */
export function openDatabase(settings: DatabaseSettings, world: DatabaseEnvironment): Database {
  return new PooledDatabase({
    ...createTarget(settings, world),
    clock: world.clock,
    pool: poolOf(settings),
    reconnection: createReconnection(settings.reconnectionConfig),
  });
}

interface Target {
  readonly engine: Engine;
  /** The name in errors. */
  readonly place: string;
  readonly dialects: MakeDialects;
  readonly login: () => Promise<Login>;
  readonly close?: () => void;
}

function createTarget(settings: DatabaseSettings, world: DatabaseEnvironment): Target {
  const { postgresql: pg, mysql: my, sqlite: file } = settings;
  if (pg) {
    const place = `PostgreSQL at ${pg.host}:${pg.port ?? 5432}`;
    const login = usesCloudToken(pg) ? tokenLogin(pg, world) : { login: () => logIn(pg, world) };
    return { engine: "postgresql", place, dialects: postgresql(pg), ...login };
  }
  if (my) {
    const place = `MySQL at ${my.host}:${my.port ?? 3306}`;
    return { engine: "mysql", place, dialects: mysql(my), login: () => logIn(my, world) };
  }
  if (file) {
    const login = () => Promise.resolve({ user: undefined, password: undefined });
    return { engine: "sqlite", place: `SQLite file ${file.file}`, dialects: sqlite(file.file), login };
  }
  throw new UserError("Could not open a database: the settings name no database (postgresql, mysql or sqlite)");
}

type Server = NonNullable<DatabaseSettings["postgresql"] | DatabaseSettings["mysql"]>;

/**
 * Whether the settings use cloud tokens.
 * @throws {UserError} for two clouds at once, and for a token without TLS.
 */
function usesCloudToken({ azureToken, awsRDSToken, ssl = false }: PostgresqlSettings): boolean {
  if (azureToken?.enabled && awsRDSToken?.enabled) {
    throw new UserError("postgresql: expected one of azureToken and awsRDSToken, got both");
  }
  if (awsRDSToken?.enabled && !ssl) throw new UserError("postgresql.awsRDSToken: requires `ssl: true`");
  return azureToken?.enabled === true || awsRDSToken?.enabled === true;
}

/** Logs in with tokens. A repeated login follows a rejection, so the cached token is discarded. */
function tokenLogin(
  settings: PostgresqlSettings,
  { clock, secret, env }: DatabaseEnvironment,
): Pick<Target, "login" | "close"> {
  let tokens: CloudTokens | undefined;
  const login = async () => {
    const { cloudTokens } = await import("./cloud_login.ts");
    if (tokens) tokens.onRejected();
    else tokens = cloudTokens(settings, { env: env ?? ((name) => Deno.env.get(name)), now: () => clock.now() });
    const source = tokens;
    const { name = "", key = "" } = settings.userNameSecret ?? {};
    const user = settings.userNameSecret && await secret(name, key);
    return { user, password: undefined, token: () => source.token(user ?? "") };
  };
  return { login, close: () => tokens?.[Symbol.dispose]() };
}

async function logIn({ userNameSecret, passwordSecret }: Server, { secret }: DatabaseEnvironment): Promise<Login> {
  const read = (selector: Server["userNameSecret"]) =>
    selector === undefined ? undefined : secret(selector.name ?? "", selector.key);
  const [user, password] = await Promise.all([read(userNameSecret), read(passwordSecret)]);
  return { user, password };
}

function poolOf({ connectionPool = {}, connectionTimeoutSeconds = 5 }: DatabaseSettings): Pool {
  const { maxOpenConns, connMaxLifetime } = connectionPool;
  const life = connMaxLifetime === undefined ? 0 : ttlMillis(connMaxLifetime) / 1000;
  return {
    maxOpen: maxOpenConns || DEFAULT_CONNECTIONS,
    idleSeconds: IDLE_SECONDS,
    lifeSeconds: life || undefined,
    connectTimeoutSeconds: connectionTimeoutSeconds || 5,
  };
}
