/** Lists in the form of tables for `kubectl get`. */

import { formatAge } from "./age.ts";
import type { ServedResource } from "../served_resource.ts";
import type { Page } from "./list.ts";
import { badRequest } from "../status_error.ts";
import type { StoredObject } from "../store.ts";

/** The part of an object in its row. */
export type IncludedObject = "Metadata" | "Object" | "None";

/**
 * Parses the includeObject parameter.
 * @throws {StatusError} 400 for an unknown value.
 */
export function includedObject(query: URLSearchParams): IncludedObject {
  const text = query.get("includeObject") || "Metadata";
  if (text === "Metadata" || text === "Object" || text === "None") return text;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
}

/** The table of a page. A single object is a page of one. */
export function tableText(resource: ServedResource, page: Page, now: Date, included?: IncludedObject): string {
  return JSON.stringify(buildTable(resource, page, now, included));
}

function buildTable(
  { columns }: ServedResource,
  { items, metadata }: Page,
  now: Date,
  included: IncludedObject = "Metadata",
) {
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
      cells: columns.map(({ type, value }) => formatCell(value(object, now), type, now)),
      ...includedIn(object, included),
    })),
  };
}

function includedIn(object: StoredObject["object"], included: IncludedObject): { object?: unknown } {
  if (included === "None") return {};
  if (included === "Object") return { object };
  return { object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata } };
}

function formatCell(value: unknown, type: string, now: Date): unknown {
  if (value === undefined || value === null) return type === "date" ? "<unknown>" : "";
  return type === "date" ? formatAge(now.getTime() - Date.parse(String(value))) : value;
}
