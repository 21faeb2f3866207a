/** The shape of a type: how its values are divided into fields that may have different owners. */

import { type MergeTable, mergeTable, mergeTypeOfKind } from "@tiphys/kube/patch";
import type { ServedResource } from "../served_resource.ts";

/** The shape of a value: a map of fields, a list of items with keys or scalars, or a single field. */
export type Shape =
  | { readonly kind: "map"; readonly fields: (name: string) => Shape }
  | { readonly kind: "items"; readonly keys: readonly string[]; readonly item: Shape }
  | { readonly kind: "values" }
  | { readonly kind: "whole" };

const WHOLE: Shape = { kind: "whole" };

/** An untyped map: maps in it are divided into fields, and lists are not. */
const ANY_MAP: Shape = { kind: "map", fields: () => ANY_MAP };

/** Metadata that the server writes, or that identifies the object: these fields have no owners. */
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

/** Reports whether a path is a mere container of fields: the object itself, or its metadata. */
export function isContainerPath(path: readonly string[]): boolean {
  return path.length === 0 || (path.length === 1 && path[0] === "metadata");
}

/** Reports whether a field can have an owner. `path` contains the names of its parents. */
export function isOwnable(path: readonly string[], name: string): boolean {
  if (path.length === 0) return name !== "apiVersion" && name !== "kind";
  return !(path.length === 1 && path[0] === "metadata" && UNOWNED_METADATA.has(name));
}

/**
 * The shape of a resource's objects. Lists of built-in kinds are divided according to their types, lists of others are
 * not. The status of a workflow is a single field: only the controller writes it, it is large, and it changes often.
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
        // Two ports may differ only in their protocol. A strategic merge patch has one key for a list, ownership has
        // both.
        const keys = name === "ports" ? [list.key, "protocol"] : [list.key];
        return { kind: "items", keys, item: list.item === undefined ? ANY_MAP : mapShape(mergeTable(list.item)) };
      }
      const type = table.fields?.[name] ?? table.values;
      return type === undefined ? ANY_MAP : mapShape(mergeTable(type));
    },
  };
}
