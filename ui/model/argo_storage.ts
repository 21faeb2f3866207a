/** Leftovers of Argo's page in this browser, read once: the namespace and the filters with which its list of runs opened. */
import { fieldsOfJson } from "../../lib/fields_of.ts";
import type { Place, Query } from "./place.ts";

/** Reads what is kept under a name; null where nothing is. */
export type ReadKept = (name: string) => string | null;

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
