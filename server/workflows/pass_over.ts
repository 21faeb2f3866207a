/** Finds the place behind a number of workflows over two stores, by halves: no more than a few of them are read. */
import type { Workflow } from "@tiphys/model/api";
import type { Cursor, Filters, WorkflowArchive } from "@tiphys/storage/archive";
import { millisOfStored } from "@tiphys/storage/database/stored_time";
import { compareKeys, firstBehind, type PageKey } from "./page.ts";

/** Two stores in one order. */
export interface Stores {
  /** The workflows of the cluster that are meant, in order. */
  readonly live: readonly Workflow[];
  /** The conditions that archived ones meet. */
  readonly filters: Filters;
  /** The UIDs of all that are in the cluster and not left to the archive, meant or not: their archived rows are older. */
  readonly covered: ReadonlySet<string>;
}

/** A place in both stores, and how many workflows behind it are still to be passed over: by merging, which is cheap for a few. */
export interface Place {
  /** The number of workflows of the cluster before the place. */
  readonly liveAt: number;
  /** The last archived row before it; undefined at the beginning. */
  readonly after: Cursor | undefined;
  readonly passed: number;
}

type Keys = Pick<WorkflowArchive, "keys">;

/** The most workflows that are left to be passed over by merging. */
const FEW = 500;

/** The most UIDs that are named in one question. */
const UIDS_AT_ONCE = 500;

/**
 * The place before which there are `skip` workflows but for {@link Place.passed}; undefined behind all of them.
 *
 * Of `left` workflows that are to be passed over, half are taken to be archived. If no more than `left` stand before the last
 * of those, all that do are passed over; else so many of the cluster do that the other half of `left` is found there.
 */
export async function passOver(archive: Keys, stores: Stores, skip: number): Promise<Place | undefined> {
  if (skip <= FEW) return { liveAt: 0, after: undefined, passed: skip };
  const { live, filters } = stores;
  let doubles = await coveredPlaces(archive, stores);
  let [left, liveAt, after]: [number, number, Cursor | undefined] = [skip, 0, undefined];
  while (left > FEW) {
    // What the cluster does not have is archived in any case.
    const archived = Math.max(left - (live.length - liveAt), left >> 1);
    const [row] = await archive.keys({ ...filters, after, skip: archived - 1, limit: 1 });
    if (!row && archived > left >> 1) return undefined;
    const key = row && keyOfRow(row);
    const before = key ? firstBehind(live, key, liveAt) - liveAt : Infinity;
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

/** The place of an archived row in the order of pages. */
export function keyOfRow({ startedAt: stored, uid }: Cursor): PageKey {
  return { startedAt: millisOfStored(stored), uid, stored };
}

/** The places in the archive of workflows that are in the cluster as well, in order. */
async function coveredPlaces(archive: Keys, { filters, covered }: Stores): Promise<PageKey[]> {
  const found: PageKey[] = [];
  for (const uids of uidsInParts([...covered])) {
    found.push(...(await archive.keys({ ...filters, uids })).map(keyOfRow));
  }
  return found.sort(compareKeys);
}

/** UIDs in parts that can each be named in one question. */
export function* uidsInParts(uids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < uids.length; at += UIDS_AT_ONCE) yield uids.slice(at, at + UIDS_AT_ONCE);
}
