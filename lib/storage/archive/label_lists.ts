/** The names of labels, and the values of one: each once, however many rows have it. */
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { ArchiveScope } from "./own_rows.ts";
import type { ArchiveTables } from "./tables.ts";

/** What is wanted of the labels. */
export interface AskedOfLabels {
  readonly column: "name" | "value";
  /** The name of the label whose values are wanted. */
  readonly key?: string | undefined;
  /** The namespace of the workflows; all where it is left out. */
  readonly namespace?: string | undefined;
}

/** The most workflows of a namespace of which all labels are read. */
const FEW = 2000;

type Items = RawBuilder<{ readonly item: string }>;

/** The names, or the values of a name, sorted as the database sorts. Where a namespace has few workflows the labels of no others are looked at. */
export async function ofLabels(
  db: Kysely<ArchiveTables>,
  engine: Engine,
  { clusterName, instanceId = "", managedNamespace }: ArchiveScope,
  { column, key, namespace }: AskedOfLabels,
): Promise<string[]> {
  const wanted = sql.ref(`l.${column}`);
  const isNamed = key === undefined ? TRUE : isExactly(engine, "l.name", [key]);
  const namespaces = [managedNamespace, namespace].filter((one) => one);
  const isInNamespace = sql.join([TRUE, ...namespaces.map((one) => sql`w.namespace = ${one}`)], sql` and `);
  const isMeant = sql`${isExactly(engine, "w.instanceid", [instanceId])} and ${isInNamespace}`;
  const told = async (query: Items) => (await query.execute(db)).rows.map(({ item }) => item);
  if (namespaces.length > 0) {
    const few = sql`(select w.clustername, w.uid from argo_archived_workflows w
      where ${isExactly(engine, "w.clustername", [clusterName])} and ${isMeant} limit ${sql.lit(FEW + 1)}) few`;
    const { rows: [row] } = await sql<{ readonly total: unknown }>`select count(*) as total from ${few}`.execute(db);
    // A cross join keeps SQLite from beginning with the labels.
    const ofFew: Items = sql`select distinct ${wanted} as item from ${few}
      cross join argo_archived_workflows_labels l where l.clustername = few.clustername and l.uid = few.uid
      and ${isNamed} order by item`;
    if (Number(row?.total) <= FEW) return await told(ofFew);
  }
  // SQLite would go by the primary key, through all rows of the cluster; with a sign it cannot.
  const isOfCluster = engine === "sqlite"
    ? sql<SqlBool>`+l.clustername = ${clusterName}`
    : isExactly(engine, "l.clustername", [clusterName]);
  // `exists` would say the same, and MariaDB would begin with the workflows.
  const isOwn = sql<SqlBool>`${isNamed} and ${isOfCluster} and (select 1 from argo_archived_workflows w
    where w.clustername = l.clustername and w.uid = l.uid and ${isMeant} limit 1) is not null`;
  if (engine !== "mysql") return await told(leaps(wanted, isOwn));
  // MySQL leaps through its index where nothing else is asked.
  const isCandidate = key === undefined ? TRUE : sql<SqlBool>`l.name = ${key}`;
  return await told(sql`select item from (
      select (select ${wanted} from argo_archived_workflows_labels l where ${wanted} = found.item and ${isOwn} limit 1) as item
      from (select distinct ${wanted} as item from argo_archived_workflows_labels l where ${isCandidate}) found
    ) own where item is not null order by item`);
}

const TRUE = sql<SqlBool>`1 = 1`;

/** Each value once: the query leaps from one to the next by the index. MySQL would end it after a thousand. */
function leaps(wanted: RawBuilder<unknown>, isOwn: RawBuilder<SqlBool>): Items {
  const first = (beyond: RawBuilder<unknown>) =>
    sql`(select ${wanted} from argo_archived_workflows_labels l where ${isOwn} ${beyond} order by ${wanted} limit 1)`;
  return sql`with recursive found (item) as (
      select ${first(sql``)} as item
      union all select ${first(sql`and ${wanted} > found.item`)} as item from found where found.item is not null
    ) select item from found where item is not null`;
}
