/** Pages in another order than the usual one, over the workflows that are there and the archived ones, each of them once. */
import { storedWorkflow, type Workflow } from "@tiphys/model/api";
import type { Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { LONGEST_PAGE } from "@tiphys/storage/archive/longest_page";
import { compareRunOrderKeys, type RunOrder, type RunOrderKey, runOrderKey } from "@tiphys/model/status";
import type { Page } from "./page.ts";
import { uidsInParts } from "./pass_over.ts";

/** The workflows of a page as they are asked for. */
export interface Sorting {
  /** The workflows of the cluster that are meant. */
  readonly live: readonly Workflow[];
  /** The conditions that archived ones meet. */
  readonly filters: Filters;
  /** The UIDs of all that are in the cluster and not left to the archive, meant or not: their archived rows are older. */
  readonly covered: ReadonlySet<string>;
  readonly order: RunOrder;
  /** The number of workflows that are passed over. */
  readonly skip: number;
  /** The most workflows of the page; 0 for as many as an archive tells at once. */
  readonly limit: number;
  /** The moment until which what works has taken its time, in milliseconds since 1970. */
  readonly now: number;
}

/** One page; the next one begins at a number. Without an archive it is made of what is in the cluster. */
export async function sortedPage(archive: WorkflowArchive | undefined, sorting: Sorting): Promise<Page<Workflow>> {
  const { live, order, skip, now } = sorting;
  const limit = Math.min(sorting.limit || Infinity, live.length + LONGEST_PAGE);
  // `sure`: the archived workflows that are ahead of the page in any case; the others passed over are found by merging.
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

/** The places of archived workflows from a number on, and how many there are: none of those that count in the cluster. */
async function archivedKeys(
  archive: WorkflowArchive,
  { filters, covered, order }: Sorting,
  skip: number,
  wanted: number,
): Promise<{ readonly keys: readonly RunOrderKey[]; readonly total: number }> {
  const doubles: RunOrderKey[] = [];
  for (const uids of uidsInParts([...covered])) doubles.push(...await archive.orderedKeys({ ...filters, uids }, order));
  const total = await archive.count(filters) - doubles.length;
  const limit = wanted + doubles.length;
  // Rows of workflows that count in the cluster are passed over beside those that are asked to be.
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

/** Archived workflows by their UIDs; one that is gone by now is left out. */
async function archivedRows(archive: WorkflowArchive, all: readonly string[]): Promise<ReadonlyMap<string, Workflow>> {
  const found = new Map<string, Workflow>();
  for (const uids of uidsInParts(all)) {
    const { items } = await archive.list({ uids });
    for (const item of items) found.set(item.metadata.uid, storedWorkflow.row(item));
  }
  return found;
}
