/** The patch of `kubectl apply`, made from the last applied object, the new object and the current object. */
import { createMergePatch, sameJson, setField } from "./merge.ts";
import { fieldTable, listMerge, type MergeTable, mergeTable, type MergeType } from "./merge_tables.ts";
import { applyStrategicMergePatch } from "./strategic.ts";
import { isObject, ownField } from "@tiphys/base/fields_of";

type Fields = Record<string, unknown>;

/** The three objects. `original` is the last applied object; undefined if the object was never applied. */
export interface ThreeWay {
  readonly original: unknown;
  readonly modified: unknown;
  readonly current: unknown;
  /** The type that determines how lists merge. */
  readonly type: MergeType;
}

/**
 * Returns the merge patch that sets the fields of `modified` in `current` and removes those that only `original` has.
 * Changes by others are kept, also within merged lists. Undefined when nothing changes.
 */
export function createThreeWayPatch({ original, modified, current, type }: ThreeWay): unknown {
  const patch = withDeletions(isObject(original) ? original : {}, modified as Fields, mergeTable(type));
  return createMergePatch(current, applyStrategicMergePatch(current, patch, type));
}

/** Returns `modified` as a strategic patch that also removes the fields that only `original` has. */
function withDeletions(original: Fields, modified: Fields, table: MergeTable): Fields {
  const patch: Fields = {};
  for (const [field, value] of Object.entries(modified)) {
    const before = ownField(original, field);
    if (isObject(value)) {
      setField(patch, field, withDeletions(isObject(before) ? before : {}, value, fieldTable(table, field)));
    } else if (Array.isArray(value) && Array.isArray(before)) {
      Object.assign(patch, listPatch(field, before, value, table));
    } else setField(patch, field, value);
  }
  for (const field of Object.keys(original)) if (ownField(modified, field) === undefined) setField(patch, field, null);
  return patch;
}

function listPatch(field: string, original: unknown[], modified: unknown[], table: MergeTable): Fields {
  const merge = listMerge(table, field);
  if (!merge) return { [field]: modified };
  if ("union" in merge) {
    const gone = original.filter((value) => !modified.some((other) => sameJson(value, other)));
    return { [field]: modified, ...(gone.length ? { [`$deleteFromPrimitiveList/${field}`]: gone } : {}) };
  }
  const keyOf = (item: unknown) => isObject(item) ? item[merge.key] : undefined;
  const partner = (item: unknown, list: unknown[]) => list.find((other) => sameJson(keyOf(item), keyOf(other)));
  const items = modified.map((item) => {
    const before = partner(item, original);
    return isObject(item) && isObject(before) ? withDeletions(before, item, mergeTable(merge.item ?? "Any")) : item;
  });
  const gone = original.filter((item) => partner(item, modified) === undefined);
  return { [field]: [...items, ...gone.map((item) => ({ [merge.key]: keyOf(item), $patch: "delete" }))] };
}
