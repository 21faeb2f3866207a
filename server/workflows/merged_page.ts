/** Pages over two stores: the workflows that are there, and the archived ones, in one order and each of them once. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { Cursor, WorkflowArchive } from "@tiphys/storage/archive";
import { LONGEST_PAGE } from "@tiphys/storage/archive/longest_page";
import { storedMoment } from "@tiphys/storage/database/stored_time";
import { compareKeys, continueText, firstBehind, type Page, type PageKey, pageKey, type PageStart } from "./page.ts";
import { keyOfRow, passOver, type Place, type Stores, uidsInParts } from "./pass_over.ts";

/** The workflows of a page as they are asked for. */
export interface Merge extends Stores {
  readonly start: PageStart;
  readonly limit: number;
  /** Whether the number of workflows behind the page is wanted. */
  readonly counts: boolean;
}

/** The most archived workflows that are read at once. */
const MOST_AT_ONCE = 500;

/**
 * One page. A limit of 0 means everything that is in the cluster, and as many archived workflows as an archive tells at once:
 * who wants the rest goes on behind them, as Argo's clients do. No limit makes a longer page.
 */
export async function mergedPage(archive: WorkflowArchive, merge: Merge): Promise<Page<Workflow>> {
  const { start, live } = merge;
  const longest = live.length + LONGEST_PAGE;
  const limit = merge.limit > 0 ? Math.min(merge.limit, longest) : longest;
  const place = "skip" in start ? await passOver(archive, merge, start.skip) : placeBehind(merge, start.after);
  if (!place) return { items: [], remaining: 0 };
  const { liveAt, after, passed } = place;
  const wanted = passed + limit + 1;
  const ahead = live.slice(liveAt, liveAt + wanted).map((item) => ({ item, key: pageKey(item) }));
  const behind: readonly Keyed[] = passed > 0
    ? await archivedKeys(archive, merge, { after, wanted })
    : await archivedRows(archive, merge, { after, wanted });
  const merged = [...ahead, ...behind].sort((a, b) => compareKeys(a.key, b.key)).slice(passed);
  const all = await withRows(archive, merged.slice(0, limit + 1));
  const taken = all.slice(0, limit);
  const last = taken.at(-1);
  const isMore = all.length > taken.length;
  return {
    items: taken.map(({ item }) => item),
    ...(isMore && last ? { continue: continueText(last.key) } : {}),
    remaining: merge.counts && isMore && last ? await countBehind(archive, merge, last.key) : all.length - taken.length,
  };
}

/** The place right behind a workflow of either store. */
function placeBehind({ live }: Merge, key: PageKey): Place {
  const at = firstBehind(live, key);
  const isOne = at < live.length && compareKeys(pageKey(live[at]!), key) === 0;
  return { liveAt: isOne ? at + 1 : at, after: cursorOf(key), passed: 0 };
}

/** A workflow's place, and the workflow where it is known. */
interface Keyed {
  readonly key: PageKey;
  readonly item?: Workflow;
}

/** The archived workflows that are wanted: so many behind a row. */
interface WantedRows {
  readonly after: Cursor | undefined;
  readonly wanted: number;
}

/** The places of archived workflows: where some are passed over, nothing else of those is read. */
async function archivedKeys(
  archive: WorkflowArchive,
  { filters, covered }: Merge,
  { after, wanted }: WantedRows,
): Promise<Keyed[]> {
  const found: Keyed[] = [];
  for (let from = after;;) {
    const limit = wanted - found.length;
    const rows = await archive.keys({ ...filters, after: from, limit });
    for (const row of rows) if (!covered.has(row.uid)) found.push({ key: keyOfRow(row) });
    if (rows.length < limit || found.length >= wanted) return found;
    from = rows.at(-1);
  }
}

/** The page with the archived workflows of which only the places were known; one that is gone by now is left out. */
async function withRows(archive: WorkflowArchive, page: readonly Keyed[]) {
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

/** The archived workflows from which a page is made, in their order. */
async function archivedRows(
  archive: WorkflowArchive,
  { filters, covered }: Merge,
  { after, wanted }: WantedRows,
): Promise<Keyed[]> {
  const rows: Keyed[] = [];
  for (let from = after;;) {
    const limit = Math.min(wanted - rows.length, MOST_AT_ONCE);
    const { items, places, next } = await archive.list({ ...filters, after: from, limit });
    for (const [at, place] of places.entries()) {
      if (!covered.has(place.uid)) rows.push({ item: storedWorkflow.row(items[at]), key: keyOfRow(place) });
    }
    if (!next || rows.length >= wanted) return rows;
    from = next;
  }
}

/** The number of workflows behind a place, over both stores. */
async function countBehind(
  archive: WorkflowArchive,
  { live, filters, covered }: Merge,
  key: PageKey,
): Promise<number> {
  const behind = { ...filters, after: cursorOf(key) };
  let count = live.filter((workflow) => compareKeys(pageKey(workflow), key) > 0).length + await archive.count(behind);
  for (const uids of uidsInParts([...covered])) count -= await archive.count({ ...behind, uids });
  return count;
}

/** The place in the archive; a workflow that has not started stands before all of it. */
function cursorOf({ startedAt, uid, stored }: PageKey): Cursor | undefined {
  return Number.isFinite(startedAt) ? { startedAt: stored ?? storedMoment(startedAt), uid } : undefined;
}
