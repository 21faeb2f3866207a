/** The shape of a type: where a value of it parts into fields that may have different owners. */

import { type MergeTable, mergeTable, mergeTypeOfKind } from "@tiphys/kube";
import type { ServedResource } from "../served_resource.ts";

/** The type of a value: a map that parts into its fields, a list that parts into items, or one field as a whole. */
export type Shape =
  | { readonly kind: "map"; readonly fields: (name: string) => Shape }
  | { readonly kind: "items"; readonly keys: readonly string[]; readonly item: Shape }
  | { readonly kind: "values" }
  | { readonly kind: "whole" };

const WHOLE: Shape = { kind: "whole" };

/** A map of which nothing is known: maps in it part into fields, lists do not. */
const ANY_MAP: Shape = { kind: "map", fields: () => ANY_MAP };

/** Fields of metadata that the server writes, or that say which object it is: nobody owns them. */
const UNOWNED_METADATA = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
  "managedFields",
]);

/** Whether a path leads to something that only holds fields: the object itself, and its metadata. */
export function isFrame(path: readonly string[]): boolean {
  return path.length === 0 || (path.length === 1 && path[0] === "metadata");
}

/** Whether a field may have an owner at all; `path` are the names that lead to it. */
export function isOwnable(path: readonly string[], name: string): boolean {
  if (path.length === 0) return name !== "apiVersion" && name !== "kind";
  return !(path.length === 1 && path[0] === "metadata" && UNOWNED_METADATA.has(name));
}

/**
 * The shape of a resource's objects: lists of Kubernetes' own kinds as their types say, lists of others as a whole.
 * The status of a workflow is one field: it is the controller's, it is large, and it changes all the time.
 */
export function shapeOf(resource: ServedResource): Shape {
  const shape = mapShape(mergeTable(resource.builtIn ? mergeTypeOfKind(resource.kind) : "Object"));
  if (resource.builtIn) return shape;
  return { kind: "map", fields: (name) => name === "status" ? WHOLE : shape.fields(name) };
}

function mapShape(table: MergeTable): Extract<Shape, { kind: "map" }> {
  return {
    kind: "map",
    fields(name) {
      const list = table.lists?.[name];
      if (list !== undefined) {
        if ("union" in list) return { kind: "values" };
        // Two ports may differ by their protocol only; a patch of a list knows one key, an owner both.
        const keys = name === "ports" ? [list.key, "protocol"] : [list.key];
        return { kind: "items", keys, item: list.item === undefined ? ANY_MAP : mapShape(mergeTable(list.item)) };
      }
      const type = table.fields?.[name] ?? table.values;
      return type === undefined ? ANY_MAP : mapShape(mergeTable(type));
    },
  };
}
