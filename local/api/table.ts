/** Lists as the tables that `kubectl get` prints. */

import type { ServedResource } from "./served_resource.ts";
import type { Page } from "./list.ts";
import type { Stored } from "./store.ts";

/** Whether an Accept header prefers a table. */
export function wantsTable(accept: string | null): boolean {
  return accept !== null && accept.split(",")[0]!.includes("as=Table");
}

/** A table of a page; of one object, a page of one. */
export function tableText(resource: ServedResource, page: Page, now: Date): string {
  return JSON.stringify(table(resource, page.items, page.metadata, now));
}

/** A table with one row, as events of a watch carry it. */
export function rowText(resource: ServedResource, stored: Stored, now: Date): string {
  return JSON.stringify(table(resource, [stored], { resourceVersion: String(stored.version) }, now));
}

function table(resource: ServedResource, items: readonly Stored[], metadata: Page["metadata"], now: Date) {
  const columns = resource.columns.some((column) => column.name === "Age")
    ? resource.columns
    : [...resource.columns, { name: "Age", type: "date", path: ".metadata.creationTimestamp" } as const];
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: [
      { name: "Name", type: "string", format: "name", description: "", priority: 0 },
      ...columns.map(({ name, type }) => ({
        name,
        type: type === "date" ? "string" : type,
        format: "",
        description: "",
        priority: 0,
      })),
    ],
    rows: items.map(({ object }) => ({
      cells: [
        object.metadata.name,
        ...columns.map(({ path, type }) => cell(valueAt(object, path), type, now)),
      ],
      object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata },
    })),
  };
}

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const field of path.split(".").slice(1)) value = (value as Record<string, unknown> | undefined)?.[field];
  return value;
}

function cell(value: unknown, type: string, now: Date): unknown {
  if (value === undefined || value === null) return type === "date" ? "<unknown>" : "";
  return type === "date" ? age(now.getTime() - Date.parse(String(value))) : value;
}

/** A duration in at most two units, the larger the coarser, as kubectl writes it. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (days < 730) return `${days}d`;
  return `${Math.floor(days / 365)}y`;
}
