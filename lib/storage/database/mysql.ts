/** MySQL and MariaDB with kysely and `mysql2`. */
import { type MysqlConnection, MysqlDialect, type MysqlPoolConnection } from "kysely";
import type { ResultSetHeader, RowDataPacket } from "mysql2";
import type { MysqlSettings } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";
import type { Login, MakeDialects, PoolEnvironment } from "./connection.ts";
import { type Session, SessionPool } from "./session_pool.ts";

/** Parameters of Go's driver itself; `tls` and `timeout` mean the same here, the others are ignored. */
const DRIVER_OPTIONS = new Set([
  "allowAllFiles",
  "allowCleartextPasswords",
  "allowFallbackToPlaintext",
  "allowNativePasswords",
  "allowOldPasswords",
  "charset",
  "checkConnLiveness",
  "clientFoundRows",
  "collation",
  "columnsWithAlias",
  "compress",
  "connectionAttributes",
  "interpolateParams",
  "loc",
  "maxAllowedPacket",
  "multiStatements",
  "parseTime",
  "readTimeout",
  "rejectReadOnly",
  "serverPubKey",
  "timeTruncate",
  "timeout",
  "tls",
  "writeTimeout",
]);

/** Returns the dialects of a server. */
export function mysql(settings: MysqlSettings): MakeDialects {
  const variables = systemVariables(settings.options ?? {});
  const ssl = tls(settings.options?.tls);
  return async (login, world) => {
    const library = await import("./mysql_client.ts");
    const opening = { settings, variables, ssl, login, ...world };
    const pool = new SessionPool((onBroken) => openSession(library, { ...opening, onBroken }), world);
    const dialect = (until?: AbortSignal) =>
      new MysqlDialect({
        pool: {
          getConnection(answer) {
            pool.acquire(until).then(
              (session) => answer(undefined, { ...session.connection, release: () => pool.release(session) }),
              (error) => answer(error, UNUSED_CONNECTION),
            );
          },
          end: (answer) => void pool.close().then(() => answer(undefined), answer),
        },
      });
    return { usual: dialect(), until: dialect };
  };
}

/** The connection that callbacks receive with an error; it is never used. */
const UNUSED_CONNECTION: MysqlPoolConnection = {
  config: {},
  threadId: 0,
  connect() {},
  destroy() {},
  query() {
    throw new TypeError("There is no connection");
  },
  release() {},
};

interface OpenOptions extends PoolEnvironment {
  readonly settings: MysqlSettings;
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly ssl: Tls | undefined;
  readonly login: Login;
  readonly onBroken: () => void;
}

interface MysqlSession extends Session {
  readonly connection: MysqlConnection;
}

async function openSession(
  { createConnection }: typeof import("./mysql_client.ts"),
  opening: OpenOptions,
): Promise<MysqlSession> {
  const { settings, variables, ssl, login, pool, clock, onBroken } = opening;
  const own = createConnection({
    host: settings.host,
    port: settings.port ?? 3306,
    database: settings.database,
    ...(login.user === undefined ? {} : { user: login.user }),
    ...(login.password === undefined ? {} : { password: login.password }),
    ...(ssl === undefined ? {} : { ssl }),
    charset: "utf8mb4",
    timezone: "Z",
    dateStrings: true,
    // MySQL's JSON is its own type and would be parsed; MariaDB's is a text.
    jsonStrings: true,
    connectTimeout: pool.connectTimeoutSeconds * 1000,
  });
  own.on("error", onBroken);
  own.on("end", onBroken);
  const asked = (ask: (answer: (error: unknown) => void) => void) =>
    new Promise<void>((resolve, reject) => ask((error) => error ? reject(error) : resolve()));
  try {
    await asked((answer) => own.connect(answer));
    for (const [name, value] of [["time_zone", "'+00:00'"] as const, ...variables]) {
      await asked((answer) => own.query(`set ${name} = ${value}`, answer));
    }
  } catch (error) {
    own.destroy();
    throw error;
  }
  const connection: MysqlConnection = {
    config: own.config,
    threadId: own.threadId ?? 0,
    connect: (answer) => own.connect(answer),
    destroy: () => own.destroy(),
    query: (text, parameters, answer) =>
      own.query<ResultSetHeader | RowDataPacket[]>(text, parameters, (error, result) => {
        if (error?.fatal) onBroken();
        answer?.(error, result);
      }),
  };
  const close = () =>
    new Promise<void>((resolve) => {
      const giveUp = clock.after(CLOSE_TIMEOUT_MILLIS, () => {
        own.destroy();
        resolve();
      });
      own.end(() => {
        giveUp();
        resolve();
      });
    });
  return { connection, close };
}

/** Milliseconds that a running query has to end when its session is closed. */
const CLOSE_TIMEOUT_MILLIS = 1000;

interface Tls {
  readonly rejectUnauthorized: boolean;
}

function tls(mode: string | undefined): Tls | undefined {
  switch (mode) {
    case undefined:
    case "false":
    case "preferred":
      return undefined;
    case "true":
      return { rejectUnauthorized: true };
    case "skip-verify":
      return { rejectUnauthorized: false };
    default:
      throw new UserError(`mysql.options.tls: expected true, false, skip-verify or preferred, got "${mode}"`);
  }
}

/**
 * Returns the options that are not for the driver as session variables; each value is a number, a word or a quoted
 * text.
 * @throws {UserError} for any other value, which would be arbitrary SQL.
 */
function systemVariables(options: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(options).filter(([name]) => !DRIVER_OPTIONS.has(name)).map(([name, text]) => {
    const value = text.replaceAll("%27", "'");
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) throw new UserError(`mysql.options: "${name}" is not a valid variable name`);
    if (!/^('[^'\\]*'|[\w.+-]+)$/.test(value)) {
      throw new UserError(`mysql.options.${name}: expected a number, a word or a quoted text, got "${text}"`);
    }
    return [name, value];
  });
}
