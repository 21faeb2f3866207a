/** The list of runs while it lives: a window of the server's order, and what changes tell of it. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { compareRunOrderKeys, type RunOrder, runOrderKey, USUAL_ORDER } from "@tiphys/model/status";
import type { Change, RunList, RunQuery, Window } from "../api/source.ts";

/** The rows of a window and the count of all. */
export interface RunRows {
  readonly rows: readonly Workflow[];
  /** Runs that came while nothing was to move: they are counted, and stand among the rows when they are let in. */
  readonly held: readonly Workflow[];
  /** The number of runs that are meant, also beyond the window. */
  readonly total: number;
  /** The most rows of the window; 0 for no end. */
  readonly limit: number;
  /** The number of runs before the window. */
  readonly offset: number;
  readonly order: RunOrder;
  /** The moment of the order, in milliseconds since 1970: until then what works has taken its time. */
  readonly at: number;
}

/** Rows as they were listed at a moment: they replace what was held. A server that knows one order only is helped out. */
export function rowsOf({ items, total }: RunList, { limit, offset, order }: Window, at = 0): RunRows {
  const rows = order ? items.toSorted((a, b) => compareRuns(a, b, order, at)) : items;
  return { rows, held: [], total, limit, offset, order: order ?? USUAL_ORDER, at };
}

/** What is done with runs that are new: they stand among the rows at once, or are held until they are let in. */
export type NewRuns = "shown" | "held";

/** The rows after changes, in their order; the same object where nothing changed. */
export function afterChanges(
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
      if (known === undefined && !isMeant(object, query)) continue;
      where.delete(key);
      total = Math.max(0, total - 1);
      isSame = false;
    } else if (known !== undefined) {
      if (!isNewer(object, known)) continue;
      isInOrder &&= where === held || isInSamePlace(object, known, before.order);
      if (isMeant(object, query)) where.set(key, object);
      else if (where.delete(key)) total -= 1;
      isSame = false;
    } else if (type === "ADDED" && isMeant(object, query)) {
      if (newRuns === "held") held.set(key, object);
      else rows.set(key, object);
      total += 1;
      isSame = false;
      isInOrder &&= newRuns === "held";
    }
  }
  if (isSame) return before;
  // Most changes move no row: fifty a second among hundreds of rows are not worth as many sorts.
  const sorted = isInOrder ? [...rows.values()] : [...rows.values()].sort(inOrder(before));
  const kept = firstOf(sorted, before);
  return { ...before, rows: kept, held: [...held.values()], total: Math.max(total, kept.length) };
}

/** The rows with those that were held among them. */
export function withHeld(before: RunRows): RunRows {
  if (before.held.length === 0) return before;
  return { ...before, rows: firstOf([...before.rows, ...before.held].sort(inOrder(before)), before), held: [] };
}

function firstOf(sorted: readonly Workflow[], { limit }: RunRows): readonly Workflow[] {
  return limit > 0 ? sorted.slice(0, limit) : sorted;
}

/** The key of a row, which stays as long as the run does. */
export function keyOf({ metadata }: Pick<Workflow, "metadata">): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}

/** Whether a run is meant by what a watch cannot ask for: its name and its times. */
export function isMeant({ metadata, status }: Pick<Workflow, "metadata" | "status">, query: RunQuery): boolean {
  const { name, createdAfter, finishedBefore } = query;
  if (name && !nameMatches(metadata.name ?? "", name.match, name.text)) return false;
  if (createdAfter && !(Date.parse(metadata.creationTimestamp ?? "") > Date.parse(createdAfter))) return false;
  if (finishedBefore && !(Date.parse(status?.finishedAt ?? "") < Date.parse(finishedBefore))) return false;
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

/** The server's order: without another one runs that have not started, then the newest start first, and by uid among equals. */
export function compareRuns(a: Workflow, b: Workflow, order: RunOrder = USUAL_ORDER, at = 0): number {
  const { field, isDescending } = order;
  return compareRunOrderKeys(runOrderKey(a, field, at), runOrderKey(b, field, at), isDescending);
}

/** Less than 0 where the first run stands before the second in the order of rows. */
export function inOrder({ order, at }: Pick<RunRows, "order" | "at">): (a: Workflow, b: Workflow) => number {
  return (a, b) => compareRuns(a, b, order, at);
}

/** Whether a change of a run leaves it where it stands. */
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
