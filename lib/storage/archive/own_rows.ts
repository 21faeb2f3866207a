/** The rows of one archive among those of others in the same tables. */
import { sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { conditions } from "./filters.ts";

/** The controller that workflows are of: several controllers may share a database, and see their own only. */
export interface ArchiveScope {
  readonly clusterName: string;
  readonly instanceId?: string | undefined;
  /** The only namespace that a controller works in; all of them when absent. */
  readonly managedNamespace?: string | undefined;
}

type Builder = Parameters<typeof conditions>[2];

/**
 * The conditions of all rows of an archive: its cluster, its instance and its namespace. `byUid`: the query names UIDs, too,
 * and rows are to be found by those.
 */
export function ownRows(
  eb: Builder,
  engine: Engine,
  { clusterName, instanceId = "", managedNamespace }: ArchiveScope,
  { byUid = false }: { readonly byUid?: boolean } = {},
) {
  // SQLite would take an index of cluster and instance, or one that has all columns of the query, and go through all rows of
  // them. The sign, and a column that no index has, keep it from that.
  const isFound = byUid && engine === "sqlite";
  return [
    ...(isFound ? [sql<SqlBool>`phase is not null`] : []),
    isExactly(engine, "clustername", [clusterName]),
    isFound ? eb(sql<string>`+instanceid`, "=", instanceId) : isExactly(engine, "instanceid", [instanceId]),
    ...(managedNamespace ? [eb("namespace", "=", managedNamespace)] : []),
  ];
}
