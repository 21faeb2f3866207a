/** The last known state of runs that were selected on another page of the list, or through its filter. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { keyOf, runComparator, type RunRows } from "./run_list.ts";

/**
 * Returns the last known state of the selected runs, by key: the current state of shown runs, and the former state of
 * others. Runs that are no longer selected are removed, and so are runs that disappeared from a page that still covers
 * their position.
 */
export function updateKnownRuns(
  knownRuns: ReadonlyMap<string, Workflow>,
  selected: ReadonlySet<string>,
  before: RunRows | undefined,
  now: RunRows,
): Map<string, Workflow> {
  const after = new Map([...knownRuns].filter(([key]) => selected.has(key)));
  if (before && before !== now) { for (const key of keysThatLeft(before, now)) after.delete(key); }
  for (const run of now.rows) if (selected.has(keyOf(run))) after.set(keyOf(run), run);
  return after;
}

/** Returns the keys of runs that no longer match, as opposed to runs that newer ones moved to another page. */
function keysThatLeft(before: RunRows, now: RunRows): string[] {
  if (before.offset !== now.offset || before.limit !== now.limit) return [];
  const [first, last] = [now.rows[0], now.rows.at(-1)];
  const compare = runComparator(now);
  const isFull = now.limit > 0 && now.rows.length >= now.limit;
  const shown = new Set(now.rows.map(keyOf));
  return before.rows.filter((run) => {
    if (shown.has(keyOf(run))) return false;
    if (now.offset > 0 && first && compare(run, first) < 0) return false;
    return !(isFull && last && compare(run, last) > 0);
  }).map(keyOf);
}
