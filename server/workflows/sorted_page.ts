/** Pages of live and archived workflows in an order other than the default one, without duplicates. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { MAX_PAGE_SIZE } from "@tiphys/storage/archive/longest_page";
import { compareRunOrderKeys, type RunOrder, type RunOrderKey, runOrderKey } from "@tiphys/model/status";
import type { WorkflowPage } from "./page.ts";
import { uidsInParts } from "./skip_workflows.ts";

/** The request of a page. */
export interface Sorting {
  /** The workflows of the cluster that match. */
  readonly live: readonly Workflow[];
  /** The filters of archived workflows. */
  readonly filters: Filters;
  /** The UIDs of all workflows that lists show from the cluster, matching or not: their archived rows are outdated. */
  readonly covered: ReadonlySet<string>;
  readonly order: RunOrder;
  /** The number of workflows to skip. */
  readonly skip: number;
  /** The maximum number of workflows in the page; 0 for the maximum of the archive. */
  readonly limit: number;
  /** The current time in milliseconds since the epoch: the end of the duration of a workflow in progress. */
  readonly now: number;
}

/**
 * Returns one page. `continue` is a number. Without an archive, the page contains only the workflows of the cluster.
 */
export async function sortedPage(
  archive: WorkflowArchive | undefined,
  sorting: Sorting,
): Promise<WorkflowPage<Workflow>> {
  const { live, order, skip, now } = sorting;
  const limit = Math.min(sorting.limit || Infinity, live.length + MAX_PAGE_SIZE);
  // `sure` archived workflows precede the page in any case. The rest of `skip` is found by merging.
  const sure = Math.max(0, skip - live.length);
  const passed = skip - sure;
  const ahead = live.map((item) => ({ item, key: runOrderKey(item, order.field, now) }));
  const behind = archive ? await archivedKeys(archive, sorting, sure, passed + limit) : { keys: [], total: 0 };
  const merged: { item?: Workflow; key: RunOrderKey }[] = [...ahead, ...behind.keys.map((key) => ({ key }))];
  merged.sort((a, b) => compareRunOrderKeys(a.key, b.key, order.isDescending));
  const page = merged.slice(passed, passed + limit);
  const rows = archive
    ? await archivedRows(archive, page.flatMap(({ item, key }) => item ? [] : [key.uid]))
    : undefined;
  const end = skip + page.length;
  const remaining = Math.max(0, live.length + behind.total - end);
  return {
    items: page.flatMap(({ item, key }) => item ?? rows?.get(key.uid) ?? []),
    ...(remaining > 0 && page.length > 0 ? { continue: String(end) } : {}),
    remaining,
  };
}

/** The keys of archived workflows from `skip` on, and their total, without rows that are outdated by the cluster. */
async function archivedKeys(
  archive: WorkflowArchive,
  { filters, covered, order }: Sorting,
  skip: number,
  count: number,
): Promise<{ readonly keys: readonly RunOrderKey[]; readonly total: number }> {
  const doubles: RunOrderKey[] = [];
  for (const uids of uidsInParts([...covered])) doubles.push(...await archive.orderedKeys({ ...filters, uids }, order));
  const total = await archive.count(filters) - doubles.length;
  const limit = count + doubles.length;
  // Outdated rows before the first key do not count, so as many more rows are skipped.
  for (let passed = 0;;) {
    const keys = await archive.orderedKeys({ ...filters, skip: skip + passed, limit }, order);
    const [first] = keys;
    const ahead = first
      ? doubles.filter((key) => compareRunOrderKeys(key, first, order.isDescending) < 0).length
      : passed;
    if (ahead === passed) return { keys: keys.filter(({ uid }) => !covered.has(uid)), total };
    passed = ahead;
  }
}

/** Archived workflows by UID, without those that have been deleted since. */
async function archivedRows(archive: WorkflowArchive, all: readonly string[]): Promise<ReadonlyMap<string, Workflow>> {
  const found = new Map<string, Workflow>();
  for (const uids of uidsInParts(all)) {
    const { items } = await archive.list({ uids });
    for (const item of items) found.set(item.metadata.uid, storedWorkflow.row(item));
  }
  return found;
}
