/** The live list of runs: a page of the server's list, updated by watch events. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { compareRunOrderKeys, DEFAULT_ORDER, type RunOrder, runOrderKey } from "@tiphys/model/status";
import type { Change, RunList, RunQuery, Window } from "../api/source.ts";

/** The rows of a page, and the total. */
export interface RunRows {
  readonly rows: readonly Workflow[];
  /** New runs that arrived while rows must not move. They are counted, and shown when the user requests it. */
  readonly held: readonly Workflow[];
  /** The number of matching runs, also outside the page. */
  readonly total: number;
  /** The page size; 0 for unlimited. */
  readonly limit: number;
  /** The number of runs before the page. */
  readonly offset: number;
  readonly order: RunOrder;
  /**
   * The time of the listing, in milliseconds since the epoch, up to which running workflows are measured for sorting.
   */
  readonly loadedAt: number;
}

/**
 * Creates rows from a list response, and drops held runs. Sorts the page itself if the server supports only one order.
 */
export function rowsOf({ items, total }: RunList, { limit, offset, order }: Window, time = 0): RunRows {
  const rows = order ? items.toSorted((a, b) => compareRuns(a, b, order, time)) : items;
  return { rows, held: [], total, limit, offset, order: order ?? DEFAULT_ORDER, loadedAt: time };
}

/** Whether new runs are shown immediately, or held until the user requests them. */
export type NewRuns = "shown" | "held";

/** Applies changes; returns the same object if nothing changed. */
export function applyChanges(
  before: RunRows,
  changes: readonly Change<Workflow>[],
  query: RunQuery,
  newRuns: NewRuns = "shown",
): RunRows {
  if (changes.length === 0) return before;
  const rows = new Map(before.rows.map((row) => [keyOf(row), row]));
  const held = new Map(before.held.map((row) => [keyOf(row), row]));
  let { total } = before;
  let isSame = true;
  let isInOrder = true;
  for (const { type, object } of changes) {
    const key = keyOf(object);
    const where = held.has(key) ? held : rows;
    const known = where.get(key);
    if (type === "DELETED") {
      if (known === undefined && !matchesQuery(object, query)) continue;
      where.delete(key);
      total = Math.max(0, total - 1);
      isSame = false;
    } else if (known !== undefined) {
      if (!isNewer(object, known)) continue;
      isInOrder &&= where === held || isInSamePlace(object, known, before.order);
      if (matchesQuery(object, query)) where.set(key, object);
      else if (where.delete(key)) total -= 1;
      isSame = false;
    } else if (type === "ADDED" && matchesQuery(object, query)) {
      if (newRuns === "held") held.set(key, object);
      else rows.set(key, object);
      total += 1;
      isSame = false;
      isInOrder &&= newRuns === "held";
    }
  }
  if (isSame) return before;
  // Most changes do not move rows, so sorting for each would waste time at fifty changes a second.
  const sorted = isInOrder ? [...rows.values()] : [...rows.values()].sort(runComparator(before));
  const kept = firstPage(sorted, before);
  return { ...before, rows: kept, held: [...held.values()], total: Math.max(total, kept.length) };
}

/** Inserts the held runs into the rows. */
export function insertHeldRuns(before: RunRows): RunRows {
  if (before.held.length === 0) return before;
  return { ...before, rows: firstPage([...before.rows, ...before.held].sort(runComparator(before)), before), held: [] };
}

function firstPage(sorted: readonly Workflow[], { limit }: RunRows): readonly Workflow[] {
  return limit > 0 ? sorted.slice(0, limit) : sorted;
}

/** The key of a row, stable for the lifetime of the run. */
export function keyOf({ metadata }: Pick<Workflow, "metadata">): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}

/** Reports whether a run matches the filters that a watch cannot apply: name and times. */
export function matchesQuery({ metadata, status }: Pick<Workflow, "metadata" | "status">, query: RunQuery): boolean {
  const { name, createdAfter, finishedBefore, startedFrom, startedUntil } = query;
  if (name && !nameMatches(metadata.name ?? "", name.match, name.text)) return false;
  if (createdAfter && !(Date.parse(metadata.creationTimestamp ?? "") > Date.parse(createdAfter))) return false;
  if (finishedBefore && !(Date.parse(status?.finishedAt ?? "") < Date.parse(finishedBefore))) return false;
  if (startedFrom && !(Date.parse(status?.startedAt ?? "") >= Date.parse(startedFrom))) return false;
  if (startedUntil && !(Date.parse(status?.startedAt ?? "") < Date.parse(startedUntil))) return false;
  return true;
}

function nameMatches(name: string, match: NonNullable<RunQuery["name"]>["match"], text: string): boolean {
  switch (match) {
    case "Contains":
      return name.includes(text);
    case "Prefix":
      return name.startsWith(text);
    case "Exact":
      return name === text;
    case "NotEquals":
      return name !== text;
  }
}

/**
 * Compares runs in the server's order: by default runs that have not started first, then newest start first, with ties
 * broken by UID.
 */
export function compareRuns(a: Workflow, b: Workflow, order: RunOrder = DEFAULT_ORDER, time = 0): number {
  const { field, isDescending } = order;
  return compareRunOrderKeys(runOrderKey(a, field, time), runOrderKey(b, field, time), isDescending);
}

/** Returns a comparator for rows. */
export function runComparator(
  { order, loadedAt: at }: Pick<RunRows, "order" | "loadedAt">,
): (a: Workflow, b: Workflow) => number {
  return (a, b) => compareRuns(a, b, order, at);
}

/** Reports whether a change of a run keeps its position. */
function isInSamePlace(a: Workflow, b: Workflow, { field }: RunOrder): boolean {
  return runOrderKey(a, field, 0).value === runOrderKey(b, field, 0).value &&
    (field !== "duration" || a.status?.finishedAt === b.status?.finishedAt);
}

function isNewer(object: Workflow, held: Workflow): boolean {
  const [one, other] = [object, held].map(({ metadata }) => Number(metadata.resourceVersion ?? NaN)) as [
    number,
    number,
  ];
  return Number.isNaN(one) || Number.isNaN(other) || one > other;
}
