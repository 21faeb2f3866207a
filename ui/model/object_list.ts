/** Lists of what runs are made from: found by name, put in order, with the last runs of each. Pure. */
import type { Workflow } from "@tiphys/model/api";
import { lookOfRun } from "./phase.ts";
import { type Query, valueOf, withValues } from "./place.ts";
import { titleOf } from "./annotations.ts";

/** The choices about a list, as its address has them. */
export interface ListChoice {
  readonly text: string;
  /** Requirements of a label selector, as bookmarks have them. */
  readonly labels: readonly string[];
  readonly sort: ListSort;
  readonly states: readonly ListState[];
}

/** The columns by which rows are put in order. */
const SORTS = ["name", "created", "next"] as const;
/** A column, from its end where it begins with a minus. */
export interface ListSort {
  readonly by: (typeof SORTS)[number];
  readonly isDescending: boolean;
}

/** The states by which schedules are found. */
export const LIST_STATES = ["active", "suspended", "stopped", "failing"] as const;
/** One of them. */
export type ListState = (typeof LIST_STATES)[number];

/** Reads the choices. */
export function readList(query: Query): ListChoice {
  const sort = valueOf(query, "sort") ?? "";
  const states = query.filter(([name]) => name === "state").map(([, value]) => value);
  return {
    text: valueOf(query, "Contains") ?? "",
    labels: query.filter(([name, value]) => name === "label" && value !== "").map(([, value]) => value),
    sort: { by: SORTS.find((one) => one === sort.replace(/^-/, "")) ?? "name", isDescending: sort.startsWith("-") },
    states: LIST_STATES.filter((one) => states.includes(one)),
  };
}

/** The query in which rows stand by a column; by that already, from its other end. */
export function queryByColumn(query: Query, by: ListSort["by"]): Query {
  const { sort } = readList(query);
  const isDescending = sort.by === by && !sort.isDescending;
  return withValues(query, { sort: `${isDescending ? "-" : ""}${by}` });
}

/** The query with a state more, or less. */
export function queryWithState(query: Query, state: ListState): Query {
  const { states } = readList(query);
  return withValues(query, {
    state: states.includes(state) ? states.filter((one) => one !== state) : [...states, state],
  });
}

/** What the list needs to know of an object. */
export interface ListedObject {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly creationTimestamp?: string | undefined;
    readonly annotations?: Record<string, string> | undefined;
  };
}

/** What is known of an object beside itself. */
export interface ListFacts<T> {
  readonly statesOf?: (object: T) => readonly ListState[];
  /** The time that comes next, in milliseconds. */
  readonly nextOf?: (object: T) => number | undefined;
}

/** The objects that are meant, in their order. */
export function listed<T extends ListedObject>(
  objects: readonly T[],
  { text, sort, states }: Pick<ListChoice, "text" | "sort" | "states">,
  { statesOf = () => [], nextOf = () => undefined }: ListFacts<T> = {},
): T[] {
  const wanted = text.trim().toLowerCase();
  const found = objects.filter((object) => {
    const { metadata } = object;
    const isFound = wanted === "" || `${metadata.name} ${titleOf(metadata) ?? ""}`.toLowerCase().includes(wanted);
    return isFound && (states.length === 0 || statesOf(object).some((one) => states.includes(one)));
  });
  const rows = found.map((object) => ({ object, key: keyFor(object) }));
  const sign = sort.isDescending ? -1 : 1;
  // What has no time stands at the end, from whichever end the others are read.
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

/** The runs of each object by `NAMESPACE/NAME`, newest first; those of the cluster's templates by `/NAME`. */
export type RunsOfObjects = ReadonlyMap<string, readonly Workflow[]>;

/** The most runs of an object that its row shows. */
export const SHOWN_RUNS = 10;

/** Sorts runs, newest first, by the object that a label names. */
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

/** Whether the last run that is over has failed. */
export function isFailing(runs: readonly Workflow[]): boolean {
  const over = runs.find(({ status }) => status?.finishedAt);
  const family = over && lookOfRun(over).family;
  return family === "failed" || family === "error";
}
