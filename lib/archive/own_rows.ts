/** The rows of one archive among those of others in the same tables. */
import { sql } from "kysely";
import type { Engine } from "../database/mod.ts";
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
  // SQLite would take an index of cluster and instance, and go through all rows of both. The sign keeps it from that.
  const instance = byUid && engine === "sqlite" ? sql<string>`+instanceid` : "instanceid" as const;
  return [
    eb("clustername", "=", clusterName),
    eb(instance, "=", instanceId),
    ...(managedNamespace ? [eb("namespace", "=", managedNamespace)] : []),
  ];
}
