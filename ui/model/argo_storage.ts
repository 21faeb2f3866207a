/** Leftovers of Argo's page in this browser, read once: the namespace and the filters of its list of runs, its zone and times. */
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { isZone } from "./duration.ts";
import type { Place, Query } from "./place.ts";

/** Reads what is kept under a name; null where nothing is. */
export type ReadKept = (name: string) => string | null;

/** The times as they were told there. */
export interface KeptTimes {
  /** Empty where none was chosen. */
  readonly zone: string;
  readonly isIso: boolean;
}

const ZONE = "DEFAULT_TZ";
/** Whether the two columns of the list of runs show moments as ISO; each of Argo's places has a choice of its own. */
const IS_ISO = ["workflowsRowStarted", "workflowsRowFinished"].map((name) => `Timestamp/displayISOFormat-${name}`);

/** The zone and the form of times as they were left there. */
export function timesKeptByArgo(read: ReadKept): KeptTimes {
  const zone = textOf(read(ZONE) ?? "");
  return { zone: isZone(zone) ? zone : "", isIso: IS_ISO.some((name) => read(name) === "true") };
}

/** A text that is kept as JSON, or by itself. */
function textOf(kept: string): string {
  return /^"[^"\\]*"$/.test(kept) ? kept.slice(1, -1) : kept;
}

const NAMESPACE = "current_namespace";
const LIST = "ListOptions/options";

/** The list of runs as it was left there; undefined where nothing was kept. */
export function keptByArgo(read: ReadKept): Place | undefined {
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
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string" && one !== "") : [];
}
