/** Lists of templates and schedules: filtered, sorted, and with the latest runs of each. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { lookOfRun } from "./phase.ts";
import { type Query, valueOf, withValues } from "./place.ts";
import { titleOf } from "./annotations.ts";

/** The filters and the order of a list, as its address contains them. */
export interface ListChoice {
  readonly text: string;
  /** Label selector requirements. */
  readonly labels: readonly string[];
  readonly sort: ListSort;
  readonly states: readonly ListState[];
}

/** The columns for sorting. */
const SORTS = ["name", "created", "next"] as const;
/** A column and a direction; a leading minus in the address means descending. */
export interface ListSort {
  readonly by: (typeof SORTS)[number];
  readonly isDescending: boolean;
}

/** The states of schedules for filtering. */
export const LIST_STATES = ["active", "suspended", "stopped", "failing"] as const;
/** A state of schedules. */
export type ListState = (typeof LIST_STATES)[number];

/** Reads filters and order from a query. */
export function readList(query: Query): ListChoice {
  const sort = valueOf(query, "sort") ?? "";
  const states = query.filter(([name]) => name === "state").map(([, value]) => value);
  return {
    text: valueOf(query, "Contains") ?? "",
    labels: query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value),
    sort: {
      by: SORTS.find((candidate) => candidate === sort.replace(/^-/, "")) ?? "name",
      isDescending: sort.startsWith("-"),
    },
    states: LIST_STATES.filter((state) => states.includes(state)),
  };
}

/** Returns the query sorted by a column, or in reverse if it is already sorted by it. */
export function queryByColumn(query: Query, by: ListSort["by"]): Query {
  const { sort } = readList(query);
  const isDescending = sort.by === by && !sort.isDescending;
  return withValues(query, { sort: `${isDescending ? "-" : ""}${by}` });
}

/** Returns the query with a state toggled. */
export function queryWithState(query: Query, state: ListState): Query {
  const { states } = readList(query);
  return withValues(query, {
    state: states.includes(state) ? states.filter((candidate) => candidate !== state) : [...states, state],
  });
}

/** The fields of an object that a list uses. */
export interface ListedObject {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly creationTimestamp?: string | undefined;
    readonly annotations?: Record<string, string> | undefined;
  };
}

/** Further facts about an object. */
export interface ListFacts<T> {
  readonly statesOf?: (object: T) => readonly ListState[];
  /** The next scheduled time, in milliseconds since the epoch. */
  readonly nextOf?: (object: T) => number | undefined;
}

/** Returns the matching objects in order. */
export function filterAndSort<T extends ListedObject>(
  objects: readonly T[],
  { text, sort, states }: Pick<ListChoice, "text" | "sort" | "states">,
  { statesOf = () => [], nextOf = () => undefined }: ListFacts<T> = {},
): T[] {
  const wanted = text.trim().toLowerCase();
  const found = objects.filter((object) => {
    const { metadata } = object;
    const isFound = wanted === "" || `${metadata.name} ${titleOf(metadata) ?? ""}`.toLowerCase().includes(wanted);
    return isFound && (states.length === 0 || statesOf(object).some((state) => states.includes(state)));
  });
  const rows = found.map((object) => ({ object, key: keyFor(object) }));
  const sign = sort.isDescending ? -1 : 1;
  // Objects without a time come last in both directions.
  const last = (value: number | string) => value === Infinity ? 1 : 0;
  rows.sort((a, b) =>
    last(a.key) - last(b.key) || sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) ||
    (nameOf(a.object) < nameOf(b.object) ? -1 : 1)
  );
  return rows.map(({ object }) => object);

  function keyFor(object: T): number | string {
    if (sort.by === "name") return nameOf(object);
    if (sort.by === "next") return nextOf(object) ?? Infinity;
    return Date.parse(object.metadata.creationTimestamp ?? "") || Infinity;
  }
}

function nameOf({ metadata: { name = "", namespace = "" } }: ListedObject): string {
  return `${name}/${namespace}`;
}

/** Runs of each object by `NAMESPACE/NAME`, newest first; for cluster templates by `/NAME`. */
export type RunsOfObjects = ReadonlyMap<string, readonly Workflow[]>;

/** The maximum number of runs in the row of an object. */
export const SHOWN_RUNS = 10;

/** Groups runs, newest first, by the object that a label names. */
export function runsByObject(runs: readonly Workflow[], label: string, isCluster: boolean): RunsOfObjects {
  const all = new Map<string, Workflow[]>();
  for (const run of runs) {
    const name = run.metadata.labels?.[label];
    if (!name) continue;
    const key = `${isCluster ? "" : run.metadata.namespace ?? ""}/${name}`;
    const own = all.get(key);
    if (!own) all.set(key, [run]);
    else if (own.length < SHOWN_RUNS) own.push(run);
  }
  return all;
}

/** Reports whether the last finished run failed. */
export function isFailing(runs: readonly Workflow[]): boolean {
  const over = runs.find(({ status }) => status?.finishedAt);
  const family = over && lookOfRun(over).family;
  return family === "failed" || family === "error";
}
