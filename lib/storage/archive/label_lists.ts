/** Lists the distinct names of labels, and the distinct values of one label. */
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { ArchiveScope } from "./own_rows.ts";
import type { ArchiveTables } from "./tables.ts";

/** A query for label names or values. */
export interface LabelQuery {
  readonly column: "name" | "value";
  /** The name of the label whose values are listed. */
  readonly key?: string | undefined;
  /** The namespace of the workflows; all if undefined. */
  readonly namespace?: string | undefined;
}

/** Up to this many workflows of a namespace, all of their labels are read. */
const MAX_WORKFLOWS_READ = 2000;

type Items = RawBuilder<{ readonly item: string }>;

/**
 * Lists the names, or the values of a name, in the order of the database. If a namespace has few workflows, only their
 * labels are read.
 */
export async function listLabels(
  db: Kysely<ArchiveTables>,
  engine: Engine,
  { clusterName, instanceId = "", managedNamespace }: ArchiveScope,
  { column, key, namespace }: LabelQuery,
): Promise<string[]> {
  const wanted = sql.ref(`l.${column}`);
  const isNamed = key === undefined ? TRUE : isExactly(engine, "l.name", [key]);
  const namespaces = [managedNamespace, namespace].filter((scope) => scope);
  const isInNamespace = sql.join([TRUE, ...namespaces.map((scope) => sql`w.namespace = ${scope}`)], sql` and `);
  const isMeant = sql`${isExactly(engine, "w.instanceid", [instanceId])} and ${isInNamespace}`;
  const labelsOf = async (query: Items) => (await query.execute(db)).rows.map(({ item }) => item);
  if (namespaces.length > 0) {
    const few = sql`(select w.clustername, w.uid from argo_archived_workflows w
      where ${isExactly(engine, "w.clustername", [clusterName])} and ${isMeant} limit ${
      sql.lit(MAX_WORKFLOWS_READ + 1)
    }) few`;
    const { rows: [row] } = await sql<{ readonly total: unknown }>`select count(*) as total from ${few}`.execute(db);
    // A cross join keeps SQLite from starting with the labels.
    const ofFew: Items = sql`select distinct ${wanted} as item from ${few}
      cross join argo_archived_workflows_labels l where l.clustername = few.clustername and l.uid = few.uid
      and ${isNamed} order by item`;
    if (Number(row?.total) <= MAX_WORKFLOWS_READ) return await labelsOf(ofFew);
  }
  // The sign keeps SQLite from the primary key, with which it would read all rows of the cluster.
  const isOfCluster = engine === "sqlite"
    ? sql<SqlBool>`+l.clustername = ${clusterName}`
    : isExactly(engine, "l.clustername", [clusterName]);
  // With the equivalent `exists`, MariaDB would start with the workflows.
  const isOwn = sql<SqlBool>`${isNamed} and ${isOfCluster} and (select 1 from argo_archived_workflows w
    where w.clustername = l.clustername and w.uid = l.uid and ${isMeant} limit 1) is not null`;
  if (engine !== "mysql") return await labelsOf(selectDistinctBySkipping(wanted, isOwn));
  // MySQL skips through its index only without other conditions.
  const isCandidate = key === undefined ? TRUE : sql<SqlBool>`l.name = ${key}`;
  return await labelsOf(sql`select item from (
      select (select ${wanted} from argo_archived_workflows_labels l where ${wanted} = found.item and ${isOwn} limit 1) as item
      from (select distinct ${wanted} as item from argo_archived_workflows_labels l where ${isCandidate}) found
    ) own where item is not null order by item`);
}

const TRUE = sql<SqlBool>`1 = 1`;

/**
 * Returns distinct values by a recursive query that skips from one to the next through the index. MySQL limits the
 * recursion to a thousand.
 */
function selectDistinctBySkipping(label: RawBuilder<unknown>, isOwn: RawBuilder<SqlBool>): Items {
  const first = (beyond: RawBuilder<unknown>) =>
    sql`(select ${label} from argo_archived_workflows_labels l where ${isOwn} ${beyond} order by ${label} limit 1)`;
  return sql`with recursive found (item) as (
      select ${first(sql``)} as item
      union all select ${first(sql`and ${label} > found.item`)} as item from found where found.item is not null
    ) select item from found where item is not null`;
}
