/** Lists as the tables that `kubectl get` prints. */

import { age } from "./age.ts";
import type { ServedResource } from "../served_resource.ts";
import type { Page } from "./list.ts";
import type { Stored } from "../store.ts";

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

function table({ columns }: ServedResource, items: readonly Stored[], metadata: Page["metadata"], now: Date) {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: columns.map(({ name, type, wide }) => ({
      name,
      type: type === "date" ? "string" : type,
      format: name === "Name" ? "name" : "",
      description: "",
      priority: wide ? 1 : 0,
    })),
    rows: items.map(({ object }) => ({
      cells: columns.map(({ type, value }) => cell(value(object, now), type, now)),
      object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata },
    })),
  };
}

function cell(value: unknown, type: string, now: Date): unknown {
  if (value === undefined || value === null) return type === "date" ? "<unknown>" : "";
  return type === "date" ? age(now.getTime() - Date.parse(String(value))) : value;
}
