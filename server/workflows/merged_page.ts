/** Pages over two stores: the workflows that are there, and the archived ones, in one order and each of them once. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { Cursor, Filters, WorkflowArchive } from "../../lib/archive/mod.ts";
import { storedTime } from "../../lib/database/stored_time.ts";
import { compareKeys, continueText, type Page, pageKey, type PageStart } from "./page.ts";

/** The workflows of a page as they are asked for. */
export interface Merge {
  /** The workflows of the cluster that are meant, in order. */
  readonly live: readonly Workflow[];
  /** The conditions that archived ones meet. */
  readonly filters: Filters;
  /** The UIDs of all that are in the cluster and not left to the archive, meant or not: their archived rows are older. */
  readonly covered: ReadonlySet<string>;
  readonly start: PageStart;
  readonly limit: number;
  /** Whether the number of workflows behind the page is wanted. */
  readonly counts: boolean;
}

/** The most archived workflows that are read at once where there is no limit. */
const MOST_AT_ONCE = 500;

/** The most UIDs that are named in one question. */
const UIDS_AT_ONCE = 500;

/** One page. A limit of 0 means everything. */
export async function mergedPage(archive: WorkflowArchive, merge: Merge): Promise<Page<Workflow>> {
  const { start, limit } = merge;
  const { live } = merge;
  // So many archived ones are ahead of the page at least; the others of those that are passed over are found by merging.
  const sure = "skip" in start ? Math.max(0, start.skip - live.length) : 0;
  const passed = "skip" in start ? start.skip - sure : 0;
  const wanted = limit > 0 ? passed + limit + 1 : Infinity;
  const first = "skip" in start ? 0 : live.findIndex((one) => compareKeys(pageKey(one), start.after) > 0);
  const ahead = (first < 0 ? [] : live.slice(first, first + wanted)).map((item) => ({ item, key: pageKey(item) }));
  const rows = await archivedRows(archive, merge, { skip: sure, wanted });
  const keyed = rows.map((item) => ({ item, key: pageKey(item) }));
  const all = [...ahead, ...keyed].sort((a, b) => compareKeys(a.key, b.key)).slice(passed);
  const taken = limit > 0 ? all.slice(0, limit) : all;
  const last = taken.at(-1);
  const isMore = all.length > taken.length;
  return {
    items: taken.map(({ item }) => item),
    ...(isMore && last ? { continue: continueText(last.key) } : {}),
    remaining: merge.counts && isMore && last ? await countBehind(archive, merge, last.key) : all.length - taken.length,
  };
}

/** The archived workflows from which a page is made, in their order. */
async function archivedRows(
  archive: WorkflowArchive,
  { filters, covered, start }: Merge,
  { skip, wanted }: { readonly skip: number; readonly wanted: number },
): Promise<Workflow[]> {
  const rows: Workflow[] = [];
  let after = "after" in start ? cursorOf(start.after) : undefined;
  for (let toSkip = skip;;) {
    const limit = Math.min(wanted - rows.length, MOST_AT_ONCE);
    const { items, next } = await archive.list({ ...filters, after, limit, skip: toSkip });
    for (const item of items) if (!covered.has(item.metadata.uid)) rows.push(item as unknown as Workflow);
    if (!next || rows.length >= wanted) return rows;
    after = next;
    toSkip = 0;
  }
}

/** The number of workflows behind a place, over both stores. */
async function countBehind(
  archive: WorkflowArchive,
  { live, filters, covered }: Merge,
  key: ReturnType<typeof pageKey>,
): Promise<number> {
  const behind = { ...filters, after: cursorOf(key) };
  let count = live.filter((workflow) => compareKeys(pageKey(workflow), key) > 0).length + await archive.count(behind);
  const uids = [...covered];
  for (let at = 0; at < uids.length; at += UIDS_AT_ONCE) {
    count -= await archive.count({ ...behind, uids: uids.slice(at, at + UIDS_AT_ONCE) });
  }
  return count;
}

/** The place in the archive; what has not started stands before all of it. */
function cursorOf({ startedAt, uid }: ReturnType<typeof pageKey>): Cursor | undefined {
  return Number.isFinite(startedAt) ? { startedAt: storedTime(startedAt), uid } : undefined;
}
