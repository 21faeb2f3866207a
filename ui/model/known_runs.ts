/** Runs that were selected in another window of the list, or through its filter, as they were last seen. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { inOrder, keyOf, type RunRows } from "./run_list.ts";

/**
 * The selected runs as they were last seen, by their keys: the shown ones as they are, and others as they were; not those
 * that are selected no more, nor those that have left the window although it reaches to where they stood.
 */
export function knownAfter(
  known: ReadonlyMap<string, Workflow>,
  selected: ReadonlySet<string>,
  before: RunRows | undefined,
  now: RunRows,
): Map<string, Workflow> {
  const after = new Map([...known].filter(([key]) => selected.has(key)));
  if (before && before !== now) { for (const key of leftOf(before, now)) after.delete(key); }
  for (const run of now.rows) if (selected.has(keyOf(run))) after.set(keyOf(run), run);
  return after;
}

/** Keys of the runs that were in a window and are meant no more: not those that others have moved out of it. */
function leftOf(before: RunRows, now: RunRows): string[] {
  if (before.offset !== now.offset || before.limit !== now.limit) return [];
  const [first, last] = [now.rows[0], now.rows.at(-1)];
  const compare = inOrder(now);
  const isFull = now.limit > 0 && now.rows.length >= now.limit;
  const shown = new Set(now.rows.map(keyOf));
  return before.rows.filter((run) => {
    if (shown.has(keyOf(run))) return false;
    if (now.offset > 0 && first && compare(run, first) < 0) return false;
    return !(isFull && last && compare(run, last) > 0);
  }).map(keyOf);
}
