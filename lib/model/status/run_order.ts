/** The sort orders of lists of workflow runs: by start, end, duration or name, ascending or descending. */
import type { Workflow } from "../api/mod.ts";
import { millisOf } from "./time.ts";

/** The fields that runs can be sorted by. */
export const RUN_ORDER_FIELDS = ["started", "finished", "duration", "name"] as const;

export type RunOrderField = typeof RUN_ORDER_FIELDS[number];

/** A sort order of runs. Equal runs are sorted by UID, descending. */
export interface RunOrder {
  readonly field: RunOrderField;
  /** Whether the newest, longest or alphabetically last run comes first. */
  readonly isDescending: boolean;
}

/** The default order: the newest start first. */
export const DEFAULT_ORDER: RunOrder = { field: "started", isDescending: true };

/** Parses an order as in URLs: `duration`, or `-duration` for the longest first. Undefined for other texts. */
export function readRunOrder(text: string): RunOrder | undefined {
  const isDescending = text.startsWith("-");
  const field = RUN_ORDER_FIELDS.find((runOrderField) => runOrderField === text.slice(isDescending ? 1 : 0));
  return field && { field, isDescending };
}

/** Formats an order as in URLs. */
export function runOrderText({ field, isDescending }: RunOrder): string {
  return `${isDescending ? "-" : ""}${field}`;
}

/** Whether an order is the default. */
export function isDefaultOrder({ field, isDescending }: RunOrder): boolean {
  return field === DEFAULT_ORDER.field && isDescending === DEFAULT_ORDER.isDescending;
}

/** The sort key of a run. */
export interface RunOrderKey {
  /** Milliseconds since the epoch, milliseconds of a duration, or a name. */
  readonly value: number | string;
  readonly uid: string;
}

/**
 * Returns the sort key of a run. A run that has not started counts as newer than all others, and a running one as
 * ending later than all completed ones. The duration of a running one is the time until `now`, in milliseconds since
 * the epoch; that of a waiting one is 0.
 */
export function runOrderKey(
  { metadata, status }: Pick<Workflow, "metadata" | "status">,
  field: RunOrderField,
  now: number,
): RunOrderKey {
  return { value: orderValue({ metadata, status }, field, now), uid: metadata.uid ?? "" };
}

function orderValue({ metadata, status }: Pick<Workflow, "metadata" | "status">, field: RunOrderField, now: number) {
  if (field === "name") return metadata.name ?? "";
  const [started, finished] = [millisOf(status?.startedAt), millisOf(status?.finishedAt)];
  if (field === "started") return numberOr(started, Infinity);
  if (field === "finished") return numberOr(finished, Infinity);
  return Math.max(0, numberOr(numberOr(finished, now) - started, 0));
}

function numberOr(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}

/** Compares two keys. Negative if `a` comes first. */
export function compareRunOrderKeys(a: RunOrderKey, b: RunOrderKey, isDescending: boolean): number {
  if (a.value !== b.value) return a.value < b.value === isDescending ? 1 : -1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}
