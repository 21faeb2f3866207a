/** Conditions that separate the rows of one archive from others in the same tables. */
import { sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { conditions } from "./filters.ts";

/** The controller that owns the workflows: controllers that share a database see only their own. */
export interface ArchiveScope {
  readonly clusterName: string;
  readonly instanceId?: string | undefined;
  /** The only namespace that the controller manages; all if undefined. */
  readonly managedNamespace?: string | undefined;
}

type Builder = Parameters<typeof conditions>[2];

/**
 * Returns the conditions of all rows of an archive: cluster, instance and namespace. `byUid`: the query also has UIDs,
 * and rows are to be found by those.
 */
export function ownRowsCondition(
  eb: Builder,
  engine: Engine,
  { clusterName, instanceId = "", managedNamespace }: ArchiveScope,
  { byUid = false }: { readonly byUid?: boolean } = {},
) {
  // SQLite would use an index on cluster and instance, or one that covers the query, and read all rows of the cluster.
  // The sign, and a column that no index has, prevent that.
  const isFound = byUid && engine === "sqlite";
  return [
    ...(isFound ? [sql<SqlBool>`phase is not null`] : []),
    isExactly(engine, "clustername", [clusterName]),
    isFound ? eb(sql<string>`+instanceid`, "=", instanceId) : isExactly(engine, "instanceid", [instanceId]),
    ...(managedNamespace ? [eb("namespace", "=", managedNamespace)] : []),
  ];
}
