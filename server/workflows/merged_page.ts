/** Pages of live and archived workflows, merged in one order without duplicates. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { Cursor, WorkflowArchive } from "@tiphys/storage/archive";
import { MAX_PAGE_SIZE } from "@tiphys/storage/archive/longest_page";
import { formatMillis } from "@tiphys/storage/database/stored_time";
import {
  compareKeys,
  continueText,
  firstAfter,
  type PageKey,
  pageKey,
  type PageStart,
  type WorkflowPage,
} from "./page.ts";
import { keyOfRow, type Position, skipWorkflows, type Stores, uidsInParts } from "./skip_workflows.ts";

/** The request of a page. */
export interface Merge extends Stores {
  readonly start: PageStart;
  readonly limit: number;
  /** Whether to count the workflows after the page. */
  readonly counts: boolean;
}

/** The maximum number of archived workflows that are read in one query. */
const MAX_ROWS_PER_QUERY = 500;

/**
 * Returns one page. A limit of 0 means all live workflows, and up to `MAX_PAGE_SIZE` archived ones. Argo's clients
 * read the rest as further pages. No limit makes a longer page.
 */
export async function mergedPage(archive: WorkflowArchive, merge: Merge): Promise<WorkflowPage<Workflow>> {
  const { start, live } = merge;
  const longest = live.length + MAX_PAGE_SIZE;
  const limit = merge.limit > 0 ? Math.min(merge.limit, longest) : longest;
  const place = "skip" in start ? await skipWorkflows(archive, merge, start.skip) : positionAfter(merge, start.after);
  if (!place) return { items: [], remaining: 0 };
  const { liveAt, after, passed } = place;
  const count = passed + limit + 1;
  const ahead = live.slice(liveAt, liveAt + count).map((item) => ({ item, key: pageKey(item) }));
  const behind: readonly PageEntry[] = passed > 0
    ? await archivedKeys(archive, merge, { after, count })
    : await archivedRows(archive, merge, { after, count });
  const merged = [...ahead, ...behind].sort((a, b) => compareKeys(a.key, b.key)).slice(passed);
  const all = await readRows(archive, merged.slice(0, limit + 1));
  const taken = all.slice(0, limit);
  const last = taken.at(-1);
  const isMore = all.length > taken.length;
  return {
    items: taken.map(({ item }) => item),
    ...(isMore && last ? { continue: continueText(last.key) } : {}),
    remaining: merge.counts && isMore && last ? await countAfter(archive, merge, last.key) : all.length - taken.length,
  };
}

/** The position directly after a workflow of either store. */
function positionAfter({ live }: Merge, key: PageKey): Position {
  const index = firstAfter(live, key);
  const isOne = index < live.length && compareKeys(pageKey(live[index]!), key) === 0;
  return { liveAt: isOne ? index + 1 : index, after: cursorOf(key), passed: 0 };
}

/** The key of a workflow, and the workflow if it has been read. */
interface PageEntry {
  readonly key: PageKey;
  readonly item?: Workflow;
}

/** A range of archived rows. */
interface RowRange {
  readonly after: Cursor | undefined;
  readonly count: number;
}

/** The keys of archived workflows. Used when some are to be skipped, because their content need not be read. */
async function archivedKeys(
  archive: WorkflowArchive,
  { filters, covered }: Merge,
  { after, count }: RowRange,
): Promise<PageEntry[]> {
  const found: PageEntry[] = [];
  for (let from = after;;) {
    const limit = count - found.length;
    const rows = await archive.listKeys({ ...filters, after: from, limit });
    for (const row of rows) if (!covered.has(row.uid)) found.push({ key: keyOfRow(row) });
    if (rows.length < limit || found.length >= count) return found;
    from = rows.at(-1);
  }
}

/** Reads the archived workflows of a page whose keys alone are known. Omits workflows that have been deleted since. */
async function readRows(archive: WorkflowArchive, page: readonly PageEntry[]) {
  const found = new Map<string, Workflow>();
  for (const uids of uidsInParts(page.flatMap(({ item, key }) => item ? [] : [key.uid]))) {
    const { items } = await archive.list({ uids });
    for (const item of items) found.set(item.metadata.uid, storedWorkflow.row(item));
  }
  return page.flatMap(({ item, key }) => {
    const whole = item ?? found.get(key.uid);
    return whole ? [{ item: whole, key }] : [];
  });
}

/** The archived workflows for a page, in order. */
async function archivedRows(
  archive: WorkflowArchive,
  { filters, covered }: Merge,
  { after, count }: RowRange,
): Promise<PageEntry[]> {
  const rows: PageEntry[] = [];
  for (let from = after;;) {
    const limit = Math.min(count - rows.length, MAX_ROWS_PER_QUERY);
    const { items, places, next } = await archive.list({ ...filters, after: from, limit });
    for (const [index, place] of places.entries()) {
      if (!covered.has(place.uid)) rows.push({ item: storedWorkflow.row(items[index]), key: keyOfRow(place) });
    }
    if (!next || rows.length >= count) return rows;
    from = next;
  }
}

/** Returns the number of workflows that follow a key, in both stores. */
async function countAfter(
  archive: WorkflowArchive,
  { live, filters, covered }: Merge,
  key: PageKey,
): Promise<number> {
  const behind = { ...filters, after: cursorOf(key) };
  let count = live.filter((workflow) => compareKeys(pageKey(workflow), key) > 0).length + await archive.count(behind);
  for (const uids of uidsInParts([...covered])) count -= await archive.count({ ...behind, uids });
  return count;
}

/** The position in the archive. Undefined for a workflow that has not started: it precedes all archived ones. */
function cursorOf({ startedAt, uid, stored }: PageKey): Cursor | undefined {
  return Number.isFinite(startedAt) ? { startedAt: stored ?? formatMillis(startedAt), uid } : undefined;
}
