/**
 * The keys of a page of archived workflows: which rows are on it. They are found first, and what is shown of them is read
 * afterwards, so that no row is opened that is not on the page.
 */
import { type Kysely, sql } from "kysely";
import type { Engine } from "../database/mod.ts";
import type { Requirement } from "../template/selector/label_selector.ts";
import { conditions, type Filters } from "./filters.ts";
import { labelRowCondition } from "./label_conditions.ts";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";

/** The place of a row in the order of the archive: the newest start first, then the greatest UID. */
export interface Cursor {
  /** As the database has it. */
  readonly startedAt: string;
  readonly uid: string;
}

/** The page that is wanted. */
export interface Wanted {
  readonly filters: Filters;
  /** The most keys; all where it is 0. */
  readonly limit: number;
  /** So many are passed over. */
  readonly skip: number;
}

/** The owner of rows: conditions that all of an archive's rows meet. */
export type Own = (eb: Parameters<typeof conditions>[2]) => ReturnType<typeof conditions>;

/** Labels that no more workflows have are looked up first; of others, so many workflows have them that a page is soon full. */
const FEW = 2000;

/** Finds the keys of a page, in order. */
export async function pageKeys(
  db: Kysely<ArchiveTables>,
  { engine, clusterName, own }: { readonly engine: Engine; readonly clusterName: string; readonly own: Own },
  { filters, limit, skip }: Wanted,
): Promise<Cursor[]> {
  const matching = db.selectFrom("argo_archived_workflows").select(["startedat", "uid"])
    .where((eb) => eb.and([...own(eb), ...conditions(engine, filters, eb)]));
  const rare = await rareLabel(db, engine, filters.labels ?? []);
  if (rare === undefined) {
    const sorted = isSortedAfterwards(engine, filters, skip)
      ? matching.orderBy(unindexed(engine, "startedat"), "desc").orderBy(unindexed(engine, "uid"), "desc")
      : matching.orderBy("startedat", "desc").orderBy("uid", "desc");
    const page = limit > 0 || skip > 0 ? sorted.limit(limit || ALL).offset(skip) : sorted;
    return (await page.execute()).map(cursorOf);
  }
  const having = sql<string>`(select l.uid from argo_archived_workflows_labels l
    where l.clustername = ${clusterName} and ${labelRowCondition(engine, rare)})`;
  // Without an order, and so without the temptation to go through all rows in it.
  const rows = (await matching.where("uid", "in", having).execute()).map(cursorOf).sort(compareCursors);
  return rows.slice(skip, limit > 0 ? skip + limit : undefined);
}

/** Beyond so many rows that are passed over MariaDB is quicker to sort the keys of all, which lie in one index. */
const MANY = 1000;

/**
 * Whether the database is kept from going through the rows in their order, which it would: where it opened each of them to
 * look at what an index could tell.
 */
function isSortedAfterwards(engine: Engine, filters: Filters, skip: number): boolean {
  if (engine === "postgresql") return false;
  const isPartOfName = [filters, ...filters.and ?? []].some(({ nameFilter }) => nameFilter === "Contains");
  return isPartOfName || engine === "mysql" && skip > MANY;
}

/** The most rows that a list has: servers want a limit where rows are passed over. */
const ALL = 2 ** 31 - 1;

/** A requirement that few workflows meet; undefined where there is none. */
async function rareLabel(
  db: Kysely<ArchiveTables>,
  engine: Engine,
  requirements: readonly Requirement[],
): Promise<Requirement | undefined> {
  for (const requirement of requirements) {
    if (["!", "!=", "notin"].includes(requirement.operator)) continue;
    const { rows } = await sql`select 1 from argo_archived_workflows_labels l
      where ${labelRowCondition(engine, requirement)} limit ${sql.lit(FEW + 1)}`.execute(db);
    if (rows.length <= FEW) return requirement;
  }
  return undefined;
}

/** A column of which no index is used. */
function unindexed(engine: Engine, column: "startedat" | "uid") {
  return engine === "mysql" ? sql`concat(${sql.ref(column)})` : sql`+${sql.ref(column)}`;
}

function cursorOf({ startedat, uid }: Pick<ArchivedWorkflowRow, "startedat" | "uid">): Cursor {
  return { startedAt: startedat, uid };
}

function compareCursors(a: Cursor, b: Cursor): number {
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt ? -1 : 1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}
