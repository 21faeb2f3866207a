/** Opens the database that the settings name. */
import { type DatabaseSettings, ttlMillis } from "../api/mod.ts";
import type { Clock } from "../clock/mod.ts";
import { UserError } from "../user_error.ts";
import type { Login, MakeDialect, Pool } from "./connection.ts";
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
  const { engine, place, dialect, login } = target(settings, world);
  return new PooledDatabase({
    engine,
    place,
    dialect,
    login,
    clock: world.clock,
    pool: poolOf(settings),
    reconnection: reconnection(settings.reconnectionConfig),
  });
}

interface Target {
  readonly engine: Engine;
  /** In the words of errors. */
  readonly place: string;
  readonly dialect: MakeDialect;
  readonly login: () => Promise<Login>;
}

function target(settings: DatabaseSettings, world: DatabaseWorld): Target {
  const { postgresql: pg, mysql: my, sqlite: file } = settings;
  if (pg) {
    if (pg.azureToken?.enabled || pg.awsRDSToken?.enabled) {
      const key = pg.azureToken?.enabled ? "azureToken" : "awsRDSToken";
      throw new UserError(`postgresql.${key}: logging in by tokens of a cloud is not there yet; name a passwordSecret`);
    }
    const place = `PostgreSQL at ${pg.host}:${pg.port ?? 5432}`;
    return { engine: "postgresql", place, dialect: postgresql(pg), login: () => logIn(pg, world) };
  }
  if (my) {
    const place = `MySQL at ${my.host}:${my.port ?? 3306}`;
    return { engine: "mysql", place, dialect: mysql(my), login: () => logIn(my, world) };
  }
  if (file) {
    const login = () => Promise.resolve({ user: undefined, password: undefined });
    return { engine: "sqlite", place: `SQLite file ${file.file}`, dialect: sqlite(file.file), login };
  }
  throw new UserError("Could not open a database: the settings name none (postgresql, mysql or sqlite)");
}

type Server = NonNullable<DatabaseSettings["postgresql"] | DatabaseSettings["mysql"]>;

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
