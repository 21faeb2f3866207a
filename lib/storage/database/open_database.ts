/** Opens the database that the settings name. */
import { type DatabaseSettings, type PostgresqlSettings, ttlMillis } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { UserError } from "@tiphys/base/user_error";
import type { CloudTokens } from "./cloud_login.ts";
import type { Login, MakeDialects, Pool } from "./connection.ts";
import type { Database, Engine } from "./database.ts";
import { mysql } from "./mysql.ts";
import { PooledDatabase } from "./pooled_database.ts";
import { postgresql } from "./postgresql.ts";
import { reconnection } from "./reconnection.ts";
import { sqlite } from "./sqlite.ts";

/** The clock and the secrets that a database needs from outside. */
export interface DatabaseWorld {
  readonly clock: Clock;
  /** The value of a key of a Secret in the controller's namespace; it is asked again when the server refuses it. */
  secret(name: string, key: string): Promise<string>;
  /** A variable of this process's environment, where clouds leave what tokens are fetched with. */
  readonly env?: ((name: string) => string | undefined) | undefined;
}

/** The most connections of a pool where the settings say nothing; Argo's has no bound. */
const USUAL_CONNECTIONS = 10;

/** The time for which an unused connection is kept, seconds. */
const IDLE_SECONDS = 60;

/**
 * A database that connects when it is first asked something. Where several are named PostgreSQL wins, as in Argo.
 * @throws {UserError} when the settings name none, or ask for what there is not.
 */
export function openDatabase(settings: DatabaseSettings, world: DatabaseWorld): Database {
  return new PooledDatabase({
    ...target(settings, world),
    clock: world.clock,
    pool: poolOf(settings),
    reconnection: reconnection(settings.reconnectionConfig),
  });
}

interface Target {
  readonly engine: Engine;
  /** In the words of errors. */
  readonly place: string;
  readonly dialects: MakeDialects;
  readonly login: () => Promise<Login>;
  readonly close?: () => void;
}

function target(settings: DatabaseSettings, world: DatabaseWorld): Target {
  const { postgresql: pg, mysql: my, sqlite: file } = settings;
  if (pg) {
    const place = `PostgreSQL at ${pg.host}:${pg.port ?? 5432}`;
    const login = takesToken(pg) ? tokenLogin(pg, world) : { login: () => logIn(pg, world) };
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
  throw new UserError("Could not open a database: the settings name none (postgresql, mysql or sqlite)");
}

type Server = NonNullable<DatabaseSettings["postgresql"] | DatabaseSettings["mysql"]>;

/**
 * Whether the settings ask for tokens of a cloud.
 * @throws {UserError} for two clouds at once, and where a token would be readable on its way.
 */
function takesToken({ azureToken, awsRDSToken, ssl = false }: PostgresqlSettings): boolean {
  if (azureToken?.enabled && awsRDSToken?.enabled) {
    throw new UserError("postgresql: expected one of azureToken and awsRDSToken, got both");
  }
  if (awsRDSToken?.enabled && !ssl) throw new UserError("postgresql.awsRDSToken: expected `ssl: true` beside it");
  return azureToken?.enabled === true || awsRDSToken?.enabled === true;
}

/** Logs in by tokens. A second login follows a refusal, so the token that is kept is forgotten. */
function tokenLogin(
  settings: PostgresqlSettings,
  { clock, secret, env }: DatabaseWorld,
): Pick<Target, "login" | "close"> {
  let tokens: CloudTokens | undefined;
  const login = async () => {
    const { cloudTokens } = await import("./cloud_login.ts");
    if (tokens) tokens.refused();
    else tokens = cloudTokens(settings, { env: env ?? ((name) => Deno.env.get(name)), now: () => clock.now() });
    const source = tokens;
    const { name = "", key = "" } = settings.userNameSecret ?? {};
    const user = settings.userNameSecret && await secret(name, key);
    return { user, password: undefined, token: () => source.token(user ?? "") };
  };
  return { login, close: () => tokens?.[Symbol.dispose]() };
}

async function logIn({ userNameSecret, passwordSecret }: Server, { secret }: DatabaseWorld): Promise<Login> {
  const read = (selector: Server["userNameSecret"]) =>
    selector === undefined ? undefined : secret(selector.name ?? "", selector.key);
  const [user, password] = await Promise.all([read(userNameSecret), read(passwordSecret)]);
  return { user, password };
}

function poolOf({ connectionPool = {}, connectionTimeoutSeconds = 5 }: DatabaseSettings): Pool {
  const { maxOpenConns, connMaxLifetime } = connectionPool;
  const life = connMaxLifetime === undefined ? 0 : ttlMillis(connMaxLifetime) / 1000;
  return {
    maxOpen: maxOpenConns || USUAL_CONNECTIONS,
    idleSeconds: IDLE_SECONDS,
    lifeSeconds: life || undefined,
    connectTimeoutSeconds: connectionTimeoutSeconds || 5,
  };
}
