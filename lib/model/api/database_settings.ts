/**
 * The settings of databases in the controller's ConfigMap: `persistence` and `synchronization`, with their common
 * fields.
 */
import * as z from "zod";
import { parseArgoDuration } from "@tiphys/base/go";
import { SecretKeySelector } from "./core/reference.ts";
import { mapOf, object, StringMap } from "./schema.ts";

const Count = z.int().min(0, "expected a whole number of 0 or more");

/** A TTL in Argo's format, an integer with d, h, m or s, or a duration in Go's format; a number counts seconds. */
export const Ttl = z.union([
  z.string().refine(isTtl, "expected a time such as 30d, 12h or 1h30m"),
  Count.transform((seconds) => `${seconds}s`),
]);

const Server = {
  host: z.string().min(1, "expected the name or address of a server"),
  port: z.int().min(1).max(65_535, "expected a port from 1 to 65535").optional(),
  database: z.string().min(1, "expected the name of a database"),
  tableName: z.string().optional(),
  userNameSecret: SecretKeySelector.optional(),
  passwordSecret: SecretKeySelector.optional(),
};

const Token = object({ enabled: z.boolean().optional(), scope: z.string().optional(), region: z.string().optional() });

/** A PostgreSQL server and the credentials for it. */
export const PostgresqlSettings = object({
  ...Server,
  ssl: z.boolean().optional(),
  sslMode: z.enum(["", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"]).optional(),
  azureToken: Token.optional(),
  awsRDSToken: Token.optional(),
});
/** A PostgreSQL server and the credentials for it. */
export type PostgresqlSettings = z.infer<typeof PostgresqlSettings>;

/** A MySQL or MariaDB server and the credentials for it. */
export const MysqlSettings = object({ ...Server, options: mapOf(z.string()).optional() });
/** A MySQL or MariaDB server and the credentials for it. */
export type MysqlSettings = z.infer<typeof MysqlSettings>;

/** A SQLite file, which is an addition to Argo. */
export const SqliteSettings = object({
  file: z.string().min(1, "expected the path of a file"),
  tableName: z.string().optional(),
});
/** A SQLite file, which is an addition to Argo. */
export type SqliteSettings = z.infer<typeof SqliteSettings>;

/** The common fields of `persistence` and `synchronization`. */
export const databaseFields = {
  postgresql: PostgresqlSettings.optional(),
  mysql: MysqlSettings.optional(),
  sqlite: SqliteSettings.optional(),
  connectionPool: object({
    maxIdleConns: Count.optional(),
    maxOpenConns: Count.optional(),
    connMaxLifetime: Ttl.optional(),
  }).optional(),
  reconnectionConfig: object({
    maxRetries: Count.optional(),
    baseDelaySeconds: Count.optional(),
    maxDelaySeconds: Count.optional(),
    retryMultiple: z.number().min(0).optional(),
  }).optional(),
  connectionTimeoutSeconds: Count.optional(),
  skipMigration: z.boolean().optional(),
};

/** A database of any of the supported types. */
export const DatabaseSettings = object(databaseFields);
/** A database of any of the supported types. */
export type DatabaseSettings = z.infer<typeof DatabaseSettings>;

/**
 * The label selector of the workflows that are archived. An unknown operator is an error, because it would otherwise
 * select nothing, or everything.
 */
const ArchiveLabelSelector = object({
  matchLabels: StringMap.optional(),
  matchExpressions: z.array(object({
    key: z.string().min(1, "expected the name of a label"),
    operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
    values: z.array(z.string()).optional(),
  })).optional(),
});

/** The key `persistence`: the archive of workflows, and the storage of nodes that do not fit into their objects. */
export const PersistenceSettings = object({
  ...databaseFields,
  archive: z.boolean().optional(),
  nodeStatusOffLoad: z.boolean().optional(),
  archiveLabelSelector: ArchiveLabelSelector.optional(),
  archiveTTL: Ttl.optional(),
  clusterName: z.string().optional(),
});
/** The key `persistence`: the archive of workflows, and the storage of nodes that do not fit into their objects. */
export type PersistenceSettings = z.infer<typeof PersistenceSettings>;

/** The key `synchronization`: the database of locks, and how often it is polled. */
export const SynchronizationSettings = object({
  ...databaseFields,
  enableAPI: z.boolean().optional(),
  controllerName: z.string().optional(),
  limitTableName: z.string().optional(),
  stateTableName: z.string().optional(),
  controllerTableName: z.string().optional(),
  lockTableName: z.string().optional(),
  pollSeconds: Count.optional(),
  heartbeatSeconds: Count.optional(),
  inactiveControllerSeconds: Count.optional(),
  semaphoreLimitCacheSeconds: Count.optional(),
});
/** The key `synchronization`: the database of locks, and how often it is polled. */
export type SynchronizationSettings = z.infer<typeof SynchronizationSettings>;

/** The milliseconds of a {@link Ttl}. */
export function ttlMillis(ttl: string): number {
  const days = /^(\d+)d$/.exec(ttl);
  return days ? Number(days[1]) * 86_400_000 : Number(parseArgoDuration(ttl) / 1_000_000n);
}

function isTtl(text: string): boolean {
  try {
    return ttlMillis(text) >= 0;
  } catch {
    return false;
  }
}
