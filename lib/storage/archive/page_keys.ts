/**
 * The keys of a page of archived workflows: which rows are on it. They are found first, and what is shown of them is read
 * afterwards, so that no row is opened that is not on the page.
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

/** The place of a row in the order of the archive: the newest start first, then the greatest UID. */
export interface Cursor {
  /** The start of the workflow as the database has it. */
  readonly startedAt: string;
  readonly uid: string;
}

/** The page that is wanted. */
export interface Wanted {
  readonly filters: Filters;
  /** The most keys; all where it is 0. */
  readonly limit: number;
  /** The number of keys that are passed over. */
  readonly skip: number;
}

/** The owner of rows: conditions that all of an archive's rows meet. */
export type Own = (eb: Parameters<typeof conditions>[2], byUid: boolean) => ReturnType<typeof conditions>;

/** The most workflows with a label that is looked up first; of a label of more workflows a page is soon full. */
const FEW = 500;

/** The rows that are passed over before their starts are looked at first. */
const FAR = 1000;
/** The most workflows of one start of which the row that is looked for is told among the starts. */
const MOST_AT_ONCE = 500;

/** The most rows of a label that PostgreSQL collects in memory: a few megabytes, in some 10 ms. */
const MOST_COLLECTED = 50_000;

/** The archive in which a page is found. */
export interface PageOptions {
  readonly engine: Engine;
  readonly clusterName: string;
  readonly own: Own;
  /** The most rows of a label that PostgreSQL collects; {@link MOST_COLLECTED} by default. */
  readonly mostCollected?: number | undefined;
}

/** Finds the keys of a page, in order. */
export async function pageKeys(
  db: Kysely<ArchiveTables>,
  { engine, clusterName, own, mostCollected = MOST_COLLECTED }: PageOptions,
  { filters, limit, skip }: Wanted,
): Promise<Cursor[]> {
  const matching = (uids?: readonly string[]) =>
    db.selectFrom("argo_archived_workflows").select(["startedat", "uid"])
      .where((eb) => eb.and([...own(eb, uids !== undefined), ...conditions(engine, { ...filters, uids }, eb)]));
  const few = filters.uids ?? await fewWithLabels(db, engine, clusterName, filters.labels ?? []);
  if (few === undefined) {
    // PostgreSQL opens each row that it passes over, as no index of lists has the UID; the others have it in each index.
    const ordered = engine === "postgresql"
      ? await labelsLast(db, { clusterName, own, mostCollected }, filters)
      : undefined;
    const inOrder = ordered ??
      ((from?: From) => from ? matching().where("startedat", "<=", from.startedAt) : matching());
    const far = engine === "postgresql" && skip >= FAR ? await startAt(inOrder().clearSelect(), skip) : undefined;
    const meant = far ? inOrder({ startedAt: far.startedAt }) : inOrder();
    const sorted = ordered
      ? meant
      : isSortedAfterwards(engine, filters)
      ? meant.orderBy(sql`+startedat`, "desc").orderBy(sql`+uid`, "desc")
      : meant.orderBy("startedat", "desc").orderBy("uid", "desc");
    const passed = far?.passed ?? skip;
    const page = limit > 0 || passed > 0 ? sorted.limit(limit || ALL).offset(passed) : sorted;
    return (await page.execute()).map(cursorOf);
  }
  if (few.length === 0) return [];
  // The query has no order, or the database might go through all rows in it.
  const rows = (await matching(few).execute()).map(cursorOf).sort(compareCursors);
  return rows.slice(skip, limit > 0 ? skip + limit : undefined);
}

/** The start with which the rows begin: later starts are passed over. */
type From = Pick<Cursor, "startedAt">;

/**
 * The rows in order, with labels compared one row after the other: `offset 0` keeps PostgreSQL from comparing the labels of
 * all rows before it sorts them, which it does if it has no statistics. The query around them has no order of its own, or
 * PostgreSQL would sort all rows even if an index has them in order. Undefined for filters without labels.
 */
async function labelsLast(
  db: Kysely<ArchiveTables>,
  { clusterName, own, mostCollected }: {
    readonly clusterName: string;
    readonly own: Own;
    readonly mostCollected: number;
  },
  filters: Filters,
) {
  const { others, labels } = splitLabels(filters);
  if (labels.length === 0) return undefined;
  const ofLabels: Expression<SqlBool>[] = [];
  for (const requirement of labels) {
    ofLabels.push(
      await hasRows(db, requirement, mostCollected + 1)
        ? labelCondition("postgresql", requirement)
        : collectedLabelCondition(clusterName, requirement),
    );
  }
  return (from?: From) => {
    const all = db.selectFrom("argo_archived_workflows").select(["clustername", "uid", "startedat"])
      .where((eb) => eb.and([...own(eb, false), ...conditions("postgresql", others, eb)]))
      .orderBy("startedat", "desc").orderBy("uid", "desc").offset(sql.lit(0));
    const rows = from ? all.where("startedat", "<=", from.startedAt) : all;
    return db.selectFrom(rows.as("argo_archived_workflows")).select(["startedat", "uid"])
      .where((eb) => eb.and(ofLabels));
  };
}

/** Whether PostgreSQL has to read at least `count` rows of labels to find the label of a requirement. */
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
 * The start of the row behind `skip` others, and how many rows of the same start are before it. Only starts are asked for,
 * which an index tells by itself. Undefined behind the last row, and where more than {@link MOST_AT_ONCE} have that start.
 */
async function startAt(
  matching: SelectQueryBuilder<ArchiveTables, "argo_archived_workflows", unknown>,
  skip: number,
): Promise<{ readonly startedAt: string; readonly passed: number } | undefined> {
  const rows = await matching.select("startedat").orderBy("startedat", "desc")
    .offset(skip - MOST_AT_ONCE).limit(MOST_AT_ONCE + 1).execute();
  const last = rows[MOST_AT_ONCE];
  if (!last) return undefined;
  const first = rows.findIndex(({ startedat }) => startedat === last.startedat);
  return first === 0 ? undefined : { startedAt: last.startedat, passed: MOST_AT_ONCE - first };
}

/**
 * Whether SQLite is kept from going through the rows in their order, opening each of them to look at what its index of names
 * tells as well.
 */
function isSortedAfterwards(engine: Engine, filters: Filters): boolean {
  return engine === "sqlite" && [filters, ...filters.and ?? []].some(({ nameFilter }) => nameFilter === "Contains");
}

/** The most rows that a list has: servers want a limit where rows are passed over. */
const ALL = 2 ** 31 - 1;

/** The UIDs of the workflows that meet a requirement which few do; undefined where there is no such requirement. */
async function fewWithLabels(
  db: Kysely<ArchiveTables>,
  engine: Engine,
  clusterName: string,
  requirements: readonly Requirement[],
): Promise<readonly string[] | undefined> {
  for (const requirement of requirements) {
    if (["!", "!=", "notin"].includes(requirement.operator)) continue;
    const { rows } = await sql<{ readonly uid: string; readonly clustername: string }>`select l.uid, l.clustername
      from argo_archived_workflows_labels l where ${labelRowCondition(engine, requirement)}
      limit ${sql.lit(FEW + 1)}`.execute(db);
    if (rows.length <= FEW) return rows.filter((row) => row.clustername === clusterName).map(({ uid }) => uid);
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

/** What rows are ordered by, as each database says it: whole seconds, as workflows have them, and names byte by byte. */
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

/** Finds the keys of a page in another order than the usual one: the database looks at each row that is meant. */
export async function orderedPageKeys(
  db: Kysely<ArchiveTables>,
  { engine, clusterName, own }: { readonly engine: Engine; readonly clusterName: string; readonly own: Own },
  { filters, limit, skip, order }: Wanted & { readonly order: RunOrder },
): Promise<RunOrderKey[]> {
  const { field, isDescending } = order;
  const matching = (uids?: readonly string[]) =>
    db.selectFrom("argo_archived_workflows").select(["name", "startedat", "finishedat", "uid"])
      .where((eb) => eb.and([...own(eb, uids !== undefined), ...conditions(engine, { ...filters, uids }, eb)]));
  const few = filters.uids ?? await fewWithLabels(db, engine, clusterName, filters.labels ?? []);
  if (few === undefined) {
    const sorted = matching().orderBy(orderedBy(engine, field), isDescending ? "desc" : "asc")
      .orderBy("uid", "desc");
    const page = limit > 0 || skip > 0 ? sorted.limit(limit || ALL).offset(skip) : sorted;
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
