/**
 * Finds the keys of a page of archived workflows. Their content is read afterwards, so that only rows of the page are
 * opened.
 */
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import {
  compareRunOrderKeys,
  type RunOrder,
  type RunOrderField,
  type RunOrderKey,
  runOrderKey,
} from "@tiphys/model/status";
import type { Requirement } from "@tiphys/base/selector/label_selector";
import { kubernetesTime } from "../database/stored_time.ts";
import { conditions, type Filters, splitLabels } from "./filters.ts";
import { collectedLabelCondition, labelCondition, labelOf, labelRowCondition } from "./label_conditions.ts";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";

/** The position of a row in the order of the archive: latest start first, then greatest UID. */
export interface Cursor {
  /** The start of the workflow as stored in the database. */
  readonly startedAt: string;
  readonly uid: string;
}

/** The requested page. */
export interface PageQuery {
  readonly filters: Filters;
  /** Maximum number of keys; all if 0. */
  readonly limit: number;
  /** Number of keys to skip. */
  readonly skip: number;
}

/** Returns the conditions of an archive's rows. */
export type RowCondition = (eb: Parameters<typeof conditions>[2], byUid: boolean) => ReturnType<typeof conditions>;

/** Up to this many workflows, a label is looked up first; with more workflows, a page fills quickly. */
const MAX_LABEL_FIRST = 500;

/** From this number of skipped rows on, start times are checked first. */
const MIN_SKIP_BY_TIME = 1000;
/** Maximum number of workflows with one start time for which the target row is located by start times. */
const MAX_WITH_SAME_START = 500;

/** Maximum number of label rows that PostgreSQL collects in memory: a few megabytes, in about 10 ms. */
const MAX_COLLECTED_ROWS = 50_000;

/** The archive of a page. */
export interface PageOptions {
  readonly engine: Engine;
  readonly clusterName: string;
  readonly own: RowCondition;
  /** Maximum number of label rows that PostgreSQL collects. Default: {@link MAX_COLLECTED_ROWS}. */
  readonly maxCollected?: number | undefined;
}

/** Returns the keys of a page in order. */
export async function pageKeys(
  db: Kysely<ArchiveTables>,
  { engine, clusterName, own, maxCollected = MAX_COLLECTED_ROWS }: PageOptions,
  { filters, limit, skip }: PageQuery,
): Promise<Cursor[]> {
  const matching = (uids?: readonly string[]) =>
    db.selectFrom("argo_archived_workflows").select(["startedat", "uid"])
      .where((eb) => eb.and([...own(eb, uids !== undefined), ...conditions(engine, { ...filters, uids }, eb)]));
  const few = filters.uids ?? await selectiveUids(db, engine, clusterName, filters.labels ?? []);
  if (few === undefined) {
    // PostgreSQL opens each skipped row, since no index of lists has the UID; the others have it in each index.
    const ordered = engine === "postgresql"
      ? await keysByLabelsLast(db, { clusterName, own, maxCollected }, filters)
      : undefined;
    const inOrder = ordered ??
      ((from?: StartPosition) => from ? matching().where("startedat", "<=", from.startedAt) : matching());
    const far = engine === "postgresql" && skip >= MIN_SKIP_BY_TIME
      ? await findStartTime(inOrder().clearSelect(), skip)
      : undefined;
    const meant = far ? inOrder({ startedAt: far.startedAt }) : inOrder();
    const sorted = ordered
      ? meant
      : isSortedAfterwards(engine, filters)
      ? meant.orderBy(sql`+startedat`, "desc").orderBy(sql`+uid`, "desc")
      : meant.orderBy("startedat", "desc").orderBy("uid", "desc");
    const passed = far?.passed ?? skip;
    const page = limit > 0 || passed > 0 ? sorted.limit(limit || UNLIMITED).offset(passed) : sorted;
    return (await page.execute()).map(cursorOf);
  }
  if (few.length === 0) return [];
  // Without an order, so that the database does not read all rows in that order.
  const rows = (await matching(few).execute()).map(cursorOf).sort(compareCursors);
  return rows.slice(skip, limit > 0 ? skip + limit : undefined);
}

/** The start time at which the rows begin: later ones are skipped. */
type StartPosition = Pick<Cursor, "startedAt">;

/**
 * Selects the rows in order and checks labels row by row: `offset 0` keeps PostgreSQL from checking the labels of all
 * rows before sorting, which it does without statistics. The outer query has no order, otherwise PostgreSQL would sort
 * all rows although an index has them in order. Undefined for filters without labels.
 */
async function keysByLabelsLast(
  db: Kysely<ArchiveTables>,
  { clusterName, own, maxCollected }: {
    readonly clusterName: string;
    readonly own: RowCondition;
    readonly maxCollected: number;
  },
  filters: Filters,
) {
  const { others, labels } = splitLabels(filters);
  if (labels.length === 0) return undefined;
  const ofLabels: Expression<SqlBool>[] = [];
  for (const requirement of labels) {
    ofLabels.push(
      await hasRows(db, requirement, maxCollected + 1)
        ? labelCondition("postgresql", requirement)
        : collectedLabelCondition(clusterName, requirement),
    );
  }
  return (from?: StartPosition) => {
    const all = db.selectFrom("argo_archived_workflows").select(["clustername", "uid", "startedat"])
      .where((eb) => eb.and([...own(eb, false), ...conditions("postgresql", others, eb)]))
      .orderBy("startedat", "desc").orderBy("uid", "desc").offset(sql.lit(0));
    const rows = from ? all.where("startedat", "<=", from.startedAt) : all;
    return db.selectFrom(rows.as("argo_archived_workflows")).select(["startedat", "uid"])
      .where((eb) => eb.and(ofLabels));
  };
}

/** Whether PostgreSQL must read at least `count` label rows to find the label of a requirement. */
async function hasRows(db: Kysely<ArchiveTables>, requirement: Requirement, count: number): Promise<boolean> {
  const { label } = labelOf(requirement);
  // Values are compared as numbers row by row.
  const isRead: Requirement = label.operator === ">" || label.operator === "<"
    ? { ...label, operator: "exists" }
    : label;
  const { rows } = await sql`select 1 from argo_archived_workflows_labels l
    where ${labelRowCondition("postgresql", isRead)} limit 1 offset ${sql.lit(count - 1)}`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the start time of the row after `skip` others, and the number of rows with the same start time before it.
 * Reads only start times, which an index contains. Undefined after the last row, or if more than {@link
 * MAX_WITH_SAME_START} rows have that start time.
 */
async function findStartTime(
  matching: SelectQueryBuilder<ArchiveTables, "argo_archived_workflows", unknown>,
  skip: number,
): Promise<{ readonly startedAt: string; readonly passed: number } | undefined> {
  const rows = await matching.select("startedat").orderBy("startedat", "desc")
    .offset(skip - MAX_WITH_SAME_START).limit(MAX_WITH_SAME_START + 1).execute();
  const last = rows[MAX_WITH_SAME_START];
  if (!last) return undefined;
  const first = rows.findIndex(({ startedat }) => startedat === last.startedat);
  return first === 0 ? undefined : { startedAt: last.startedat, passed: MAX_WITH_SAME_START - first };
}

/**
 * Whether SQLite is kept from reading the rows in order, for which it would open each row to check a column that its
 * index on names also contains.
 */
function isSortedAfterwards(engine: Engine, filters: Filters): boolean {
  return engine === "sqlite" && [filters, ...filters.and ?? []].some(({ nameFilter }) => nameFilter === "Contains");
}

/** The number of rows of an unlimited list: servers require a limit to skip rows. */
const UNLIMITED = 2 ** 31 - 1;

/** Returns the UIDs of the workflows that meet a selective requirement; undefined without such a requirement. */
async function selectiveUids(
  db: Kysely<ArchiveTables>,
  engine: Engine,
  clusterName: string,
  requirements: readonly Requirement[],
): Promise<readonly string[] | undefined> {
  for (const requirement of requirements) {
    if (["!", "!=", "notin"].includes(requirement.operator)) continue;
    const { rows } = await sql<{ readonly uid: string; readonly clustername: string }>`select l.uid, l.clustername
      from argo_archived_workflows_labels l where ${labelRowCondition(engine, requirement)}
      limit ${sql.lit(MAX_LABEL_FIRST + 1)}`.execute(db);
    if (rows.length <= MAX_LABEL_FIRST) {
      return rows.filter((row) => row.clustername === clusterName).map(({ uid }) => uid);
    }
  }
  return undefined;
}

function cursorOf({ startedat, uid }: Pick<ArchivedWorkflowRow, "startedat" | "uid">): Cursor {
  return { startedAt: startedat, uid };
}

function compareCursors(a: Cursor, b: Cursor): number {
  if (a.startedAt !== b.startedAt) return a.startedAt > b.startedAt ? -1 : 1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}

/** Returns the SQL expressions to order by: whole seconds, as in workflows, and names byte by byte. */
function orderedBy(engine: Engine, field: RunOrderField) {
  const second = (column: RawBuilder<unknown>) =>
    ({
      sqlite: sql<string>`substr(${column}, 1, 19)`,
      postgresql: sql<string>`date_trunc('second', ${column})`,
      mysql: sql<string>`${column}`,
    })[engine];
  const [started, finished] = [second(sql`startedat`), second(sql`finishedat`)];
  switch (field) {
    case "started":
      return started;
    case "finished":
      return finished;
    case "name":
      return { sqlite: sql<string>`name`, postgresql: sql<string>`name collate "C"`, mysql: sql<string>`binary name` }[
        engine
      ];
    case "duration":
      return {
        sqlite: sql<number>`strftime('%s', ${finished}) - strftime('%s', ${started})`,
        postgresql: sql<number>`extract(epoch from ${finished} - ${started})`,
        mysql: sql<number>`timestampdiff(second, ${started}, ${finished})`,
      }[engine];
  }
}

/** Returns the keys of a page in another order than the default: the database reads all matching rows. */
export async function orderedPageKeys(
  db: Kysely<ArchiveTables>,
  { engine, clusterName, own }: { readonly engine: Engine; readonly clusterName: string; readonly own: RowCondition },
  { filters, limit, skip, order }: PageQuery & { readonly order: RunOrder },
): Promise<RunOrderKey[]> {
  const { field, isDescending } = order;
  const matching = (uids?: readonly string[]) =>
    db.selectFrom("argo_archived_workflows").select(["name", "startedat", "finishedat", "uid"])
      .where((eb) => eb.and([...own(eb, uids !== undefined), ...conditions(engine, { ...filters, uids }, eb)]));
  const few = filters.uids ?? await selectiveUids(db, engine, clusterName, filters.labels ?? []);
  if (few === undefined) {
    const sorted = matching().orderBy(orderedBy(engine, field), isDescending ? "desc" : "asc")
      .orderBy("uid", "desc");
    const page = limit > 0 || skip > 0 ? sorted.limit(limit || UNLIMITED).offset(skip) : sorted;
    return (await page.execute()).map((row) => keyOfRow(row, field));
  }
  if (few.length === 0) return [];
  const rows = await matching(few).execute();
  return rows.map((row) => keyOfRow(row, field)).sort((a, b) => compareRunOrderKeys(a, b, isDescending))
    .slice(skip, limit > 0 ? skip + limit : undefined);
}

function keyOfRow(
  { name, startedat, finishedat, uid }: Pick<ArchivedWorkflowRow, "name" | "startedat" | "finishedat" | "uid">,
  field: RunOrderField,
): RunOrderKey {
  const status = { startedAt: kubernetesTime(startedat), finishedAt: kubernetesTime(finishedat) };
  return runOrderKey({ metadata: { name, uid }, status }, field, 0);
}
