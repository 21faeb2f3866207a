/** The orders in which runs are listed: by start, end, duration or name, either way round. */
import type { Workflow } from "../api/mod.ts";
import { millisOf } from "./time.ts";

/** What runs are ordered by. */
export const RUN_ORDER_FIELDS = ["started", "finished", "duration", "name"] as const;

export type RunOrderField = typeof RUN_ORDER_FIELDS[number];

/** An order of runs; runs that are equal in it stand by UID, the greatest first. */
export interface RunOrder {
  readonly field: RunOrderField;
  /** Whether the newest, the longest or the last of the alphabet stands first. */
  readonly isDescending: boolean;
}

/** The order of lists that name none: the newest start first. */
export const USUAL_ORDER: RunOrder = { field: "started", isDescending: true };

/** Reads an order as addresses write it, `duration` or `-duration` for the longest first; undefined for anything else. */
export function readRunOrder(text: string): RunOrder | undefined {
  const isDescending = text.startsWith("-");
  const field = RUN_ORDER_FIELDS.find((one) => one === text.slice(isDescending ? 1 : 0));
  return field && { field, isDescending };
}

/** The order as addresses write it. */
export function runOrderText({ field, isDescending }: RunOrder): string {
  return `${isDescending ? "-" : ""}${field}`;
}

/** Whether an order is the one of lists that name none. */
export function isUsualOrder({ field, isDescending }: RunOrder): boolean {
  return field === USUAL_ORDER.field && isDescending === USUAL_ORDER.isDescending;
}

/** The place of a run in an order. */
export interface RunOrderKey {
  /** Milliseconds, since 1970 or of a duration; the text of a name. */
  readonly value: number | string;
  readonly uid: string;
}

/**
 * The place of a run in an order. What has not started yet counts as newer than all that has, what works as later to end than
 * all that is over; a run that works has taken the time until `now`, in milliseconds since 1970, one that waits none.
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

/** Less than 0 where `a` stands before `b`. */
export function compareRunOrderKeys(a: RunOrderKey, b: RunOrderKey, isDescending: boolean): number {
  if (a.value !== b.value) return a.value < b.value === isDescending ? 1 : -1;
  return a.uid < b.uid ? 1 : a.uid > b.uid ? -1 : 0;
}
