/** MySQL and MariaDB by the library `mysql2`, behind kysely. */
import { CompiledQuery, MysqlDialect } from "kysely";
import type { MysqlSettings } from "../api/mod.ts";
import { UserError } from "../user_error.ts";
import type { Login, MakeDialect, Pool } from "./connection.ts";

/** Parameters of Go's driver that are the driver's own; `tls` and `timeout` mean the same here, the others nothing. */
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

/** The dialect of a server. */
export function mysql(settings: MysqlSettings): MakeDialect {
  const variables = systemVariables(settings.options ?? {});
  const ssl = tls(settings.options?.tls);
  return async (login, pool) =>
    new MysqlDialect({
      pool: await connectionPool(settings, ssl, login, pool),
      async onCreateConnection(connection) {
        await connection.executeQuery(CompiledQuery.raw("set time_zone = '+00:00'"));
        for (const [name, value] of variables) {
          await connection.executeQuery(CompiledQuery.raw(`set ${name} = ${value}`));
        }
      },
    });
}

async function connectionPool(settings: MysqlSettings, ssl: Tls | undefined, login: Login, pool: Pool) {
  const { createPool } = await import("mysql2");
  return createPool({
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
    connectionLimit: pool.maxOpen,
    idleTimeout: pool.idleSeconds * 1000,
    connectTimeout: pool.connectTimeoutSeconds * 1000,
  });
}

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
 * The options that are none of the driver's, as variables of the session; each value is a number, a word or a quoted
 * text.
 * @throws {UserError} for anything else: it would be a piece of SQL.
 */
function systemVariables(options: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(options).filter(([name]) => !DRIVER_OPTIONS.has(name)).map(([name, text]) => {
    const value = text.replaceAll("%27", "'");
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) throw new UserError(`mysql.options: "${name}" is no name of a variable`);
    if (!/^('[^'\\]*'|[\w.+-]+)$/.test(value)) {
      throw new UserError(`mysql.options.${name}: expected a number, a word or a quoted text, got "${text}"`);
    }
    return [name, value];
  });
}
