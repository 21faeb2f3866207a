/**
 * Settings that Argo's page left in this browser's storage: the namespace and filters of the run list, and the format
 * of times. They are read once.
 */
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { isZone } from "./duration.ts";
import type { PageAddress, Query } from "./place.ts";

/** Reads a stored value by name; returns null if it is missing. */
export type StoredValueReader = (name: string) => string | null;

/** The time settings of Argo's page. */
export interface TimeSettings {
  /** Empty if none was chosen. */
  readonly zone: string;
  readonly isIso: boolean;
}

const ZONE = "DEFAULT_TZ";
/** Whether the two time columns of the run list show ISO times. Argo's page stores one setting per column. */
const IS_ISO = ["workflowsRowStarted", "workflowsRowFinished"].map((name) => `Timestamp/displayISOFormat-${name}`);

/** Returns the time zone and time format that were set in Argo's page. */
export function timeSettingsStoredByArgo(read: StoredValueReader): TimeSettings {
  const zone = textOf(read(ZONE) ?? "");
  return { zone: isZone(zone) ? zone : "", isIso: IS_ISO.some((name) => read(name) === "true") };
}

/** Decodes a text that is stored either as JSON or as plain text. */
function textOf(stored: string): string {
  return /^"[^"\\]*"$/.test(stored) ? stored.slice(1, -1) : stored;
}

const NAMESPACE = "current_namespace";
const LIST = "ListOptions/options";

/** Returns the list of runs with the filters that were last used in Argo's page, or undefined if nothing is stored. */
export function runListStoredByArgo(read: StoredValueReader): PageAddress | undefined {
  const namespace = read(NAMESPACE) ?? "";
  const options = fieldsOfJson(read(LIST) ?? "");
  const query: Query = [
    ...textsIn(options.phases ?? options.selectedPhases).map((phase) => ["phase", phase] as const),
    ...textsIn(options.labels ?? options.selectedLabels).map((label) => ["label", label] as const),
    ...(typeof options.paginationLimit === "number" ? [["limit", String(options.paginationLimit)] as const] : []),
  ];
  if (namespace === "" && query.length === 0) return undefined;
  return { page: { kind: "runs", namespace: /^[a-z0-9.-]*$/.test(namespace) ? namespace : "" }, query };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item !== "") : [];
}
