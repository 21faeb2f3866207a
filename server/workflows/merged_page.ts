/** Pages over two stores: the workflows that are there, and the archived ones, in one order and each of them once. */
import { storedWorkflow, type Workflow } from "../../lib/api/mod.ts";
import type { Cursor, Filters, WorkflowArchive } from "../../lib/archive/mod.ts";
import { LONGEST_PAGE } from "../../lib/archive/longest_page.ts";
import { kubernetesTime, storedTime } from "../../lib/database/stored_time.ts";
import { compareKeys, continueText, type Page, type PageKey, pageKey, type PageStart } from "./page.ts";

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

/** The most archived workflows that are read at once. */
const MOST_AT_ONCE = 500;

/** The number of workflows passed over beyond which the archive is first asked for places alone. */
const MANY_PASSED = 500;

/** The most UIDs that are named in one question. */
const UIDS_AT_ONCE = 500;

/**
 * One page. A limit of 0 means everything that is in the cluster, and as many archived workflows as an archive tells at once:
 * who wants the rest goes on behind them, as Argo's clients do. No limit makes a longer page.
 */
export async function mergedPage(archive: WorkflowArchive, merge: Merge): Promise<Page<Workflow>> {
  const { start, live } = merge;
  const longest = live.length + LONGEST_PAGE;
  const limit = merge.limit > 0 ? Math.min(merge.limit, longest) : longest;
  // `sure`: the archived workflows that are ahead of the page in any case; the others passed over are found by merging.
  const sure = "skip" in start ? Math.max(0, start.skip - live.length) : 0;
  const passed = "skip" in start ? start.skip - sure : 0;
  const wanted = passed + limit + 1;
  const first = "skip" in start ? 0 : live.findIndex((one) => compareKeys(pageKey(one), start.after) > 0);
  const ahead = (first < 0 ? [] : live.slice(first, first + wanted)).map((item) => ({ item, key: pageKey(item) }));
  const behind: readonly Keyed[] = sure > 0 || passed > MANY_PASSED
    ? await archivedKeys(archive, merge, { skip: sure, wanted })
    : (await archivedRows(archive, merge, { skip: sure, wanted })).map((item) => ({ item, key: pageKey(item) }));
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

/** A workflow's place, and the workflow where it is known. */
interface Keyed {
  readonly key: PageKey;
  readonly item?: Workflow;
}

/** The places of archived workflows: where many are passed over, nothing else of those is read. */
async function archivedKeys(
  archive: WorkflowArchive,
  { filters, covered }: Merge,
  { skip, wanted }: { readonly skip: number; readonly wanted: number },
): Promise<Keyed[]> {
  const doubles = await coveredPlaces(archive, filters, covered);
  const limit = wanted + doubles.length;
  // Rows of workflows that count in the cluster are passed over beside those that are asked to be.
  for (let passed = 0;;) {
    const places = (await archive.keys({ ...filters, skip: skip + passed, limit })).map(({ startedAt, uid }) => ({
      key: { startedAt: Date.parse(kubernetesTime(startedAt)), uid },
    }));
    const [first] = places;
    const ahead = first ? doubles.filter((key) => compareKeys(key, first.key) < 0).length : passed;
    if (ahead === passed) return places.filter(({ key }) => !covered.has(key.uid));
    passed = ahead;
  }
}

/** The places in the archive of workflows that are in the cluster as well. */
async function coveredPlaces(archive: WorkflowArchive, filters: Filters, covered: ReadonlySet<string>) {
  const found: PageKey[] = [];
  const uids = [...covered];
  for (let at = 0; at < uids.length; at += UIDS_AT_ONCE) {
    const keys = await archive.keys({ ...filters, uids: uids.slice(at, at + UIDS_AT_ONCE) });
    for (const { startedAt, uid } of keys) found.push({ startedAt: Date.parse(kubernetesTime(startedAt)), uid });
  }
  return found;
}

/** The page with the archived workflows of which only the places were known; one that is gone by now is left out. */
async function withRows(archive: WorkflowArchive, page: readonly Keyed[]) {
  const uids = page.flatMap(({ item, key }) => item ? [] : [key.uid]);
  const found = new Map<string, Workflow>();
  for (let at = 0; at < uids.length; at += UIDS_AT_ONCE) {
    const { items } = await archive.list({ uids: uids.slice(at, at + UIDS_AT_ONCE) });
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
  { filters, covered, start }: Merge,
  { skip, wanted }: { readonly skip: number; readonly wanted: number },
): Promise<Workflow[]> {
  const rows: Workflow[] = [];
  let after = "after" in start ? cursorOf(start.after) : undefined;
  for (let toSkip = skip;;) {
    const limit = Math.min(wanted - rows.length, MOST_AT_ONCE);
    const { items, next } = await archive.list({ ...filters, after, limit, skip: toSkip });
    for (const item of items) if (!covered.has(item.metadata.uid)) rows.push(storedWorkflow.row(item));
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

/** The place in the archive; a workflow that has not started stands before all of it. */
function cursorOf({ startedAt, uid }: ReturnType<typeof pageKey>): Cursor | undefined {
  return Number.isFinite(startedAt) ? { startedAt: storedTime(startedAt), uid } : undefined;
}
