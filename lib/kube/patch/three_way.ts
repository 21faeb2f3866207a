/** The patch of `kubectl apply`: made from what was asked for before, what is asked for now, and what is there. */
import { createMergePatch, sameJson } from "./merge.ts";
import { type MergeTable, mergeTable, type MergeType } from "./merge_tables.ts";
import { applyStrategicMergePatch } from "./strategic.ts";
import { isObject, ownField } from "../../fields_of.ts";

type Fields = Record<string, unknown>;

/** The three objects; `original` is what was applied last, undefined when nothing ever was. */
export interface ThreeWay {
  readonly original: unknown;
  readonly modified: unknown;
  readonly current: unknown;
  /** The way in which lists merge. */
  readonly type: MergeType;
}

/**
 * The merge patch by which `current` gets what `modified` says and loses what only `original` said; what others wrote
 * stays, also within merged lists. Undefined when nothing changes.
 */
export function createThreeWayPatch({ original, modified, current, type }: ThreeWay): unknown {
  const patch = withDeletions(isObject(original) ? original : {}, modified as Fields, mergeTable(type));
  return createMergePatch(current, applyStrategicMergePatch(current, patch, type));
}

/** `modified` as a strategic patch that also takes away what `original` has and it has not. */
function withDeletions(original: Fields, modified: Fields, table: MergeTable): Fields {
  const patch: Fields = {};
  for (const [field, value] of Object.entries(modified)) {
    const before = ownField(original, field);
    if (isObject(value)) {
      const type = table.fields?.[field] ?? table.values ?? "Any";
      patch[field] = withDeletions(isObject(before) ? before : {}, value, mergeTable(type));
    } else if (Array.isArray(value) && Array.isArray(before)) {
      Object.assign(patch, listPatch(field, before, value, table));
    } else patch[field] = value;
  }
  for (const field of Object.keys(original)) if (ownField(modified, field) === undefined) patch[field] = null;
  return patch;
}

function listPatch(field: string, original: unknown[], modified: unknown[], table: MergeTable): Fields {
  const merge = table.lists?.[field];
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
