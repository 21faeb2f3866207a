/** Finds the position after a number of workflows of two stores by bisection, reading only a few of them. */
import type { Workflow } from "@tiphys/model/api";
import type { Cursor, Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { parseStoredMillis } from "@tiphys/storage/database/stored_time";
import { compareKeys, firstAfter, type PageKey } from "./page.ts";

/** Two stores with one order. */
export interface Stores {
  /** The workflows of the cluster that match, in order. */
  readonly live: readonly Workflow[];
  /** The filters of archived workflows. */
  readonly filters: Filters;
  /** The UIDs of all workflows that lists show from the cluster, matching or not: their archived rows are outdated. */
  readonly covered: ReadonlySet<string>;
}

/** A position in both stores. */
export interface Position {
  /** The index in `live`. */
  readonly liveAt: number;
  /** The last archived row before the position; undefined at the start. */
  readonly after: Cursor | undefined;
  /** The number of workflows after the position that are still to be skipped by merging, which is cheap for a few. */
  readonly passed: number;
}

type Keys = Pick<WorkflowArchive, "listKeys">;

/** Up to this many workflows are left to be skipped by merging. */
const FEW = 500;

/** The maximum number of UIDs in one query. */
const UIDS_AT_ONCE = 500;

/**
 * Returns the position after `skip` workflows, except for {@link Position.passed} of them; undefined after the last
 * one.
 *
 * Each round guesses that half of the `left` workflows to skip are archived. If no more than `left` workflows come
 * before the last of that half, all of these are skipped. Otherwise, the cluster has at least the other half of `left`
 * there, and that half is skipped.
 */
export async function skipWorkflows(archive: Keys, stores: Stores, skip: number): Promise<Position | undefined> {
  if (skip <= FEW) return { liveAt: 0, after: undefined, passed: skip };
  const { live, filters } = stores;
  let doubles = await coveredKeys(archive, stores);
  let [left, liveAt, after]: [number, number, Cursor | undefined] = [skip, 0, undefined];
  while (left > FEW) {
    // Workflows that the cluster does not have must be archived.
    const archived = Math.max(left - (live.length - liveAt), left >> 1);
    const [row] = await archive.listKeys({ ...filters, after, skip: archived - 1, limit: 1 });
    if (!row && archived > left >> 1) return undefined;
    const key = row && keyOfRow(row);
    const before = key ? firstAfter(live, key, liveAt) - liveAt : Infinity;
    const twice = key ? doubles.filter((double) => compareKeys(double, key) <= 0).length : 0;
    const all = archived - twice + before;
    if (all <= left) {
      doubles = doubles.slice(twice);
      [left, liveAt, after] = [left - all, liveAt + before, row];
    } else {
      liveAt += left - archived;
      left = archived;
    }
  }
  return { liveAt, after, passed: left };
}

/** The key of an archived row. */
export function keyOfRow({ startedAt: stored, uid }: Cursor): PageKey {
  return { startedAt: parseStoredMillis(stored), uid, stored };
}

/** The keys of archived rows whose workflows are shown from the cluster, in order. */
async function coveredKeys(archive: Keys, { filters, covered }: Stores): Promise<PageKey[]> {
  const found: PageKey[] = [];
  for (const uids of uidsInParts([...covered])) {
    found.push(...(await archive.listKeys({ ...filters, uids })).map(keyOfRow));
  }
  return found.sort(compareKeys);
}

/** Splits UIDs into parts that fit in one query. */
export function* uidsInParts(uids: readonly string[]): Generator<readonly string[]> {
  for (let offset = 0; offset < uids.length; offset += UIDS_AT_ONCE) yield uids.slice(offset, offset + UIDS_AT_ONCE);
}
