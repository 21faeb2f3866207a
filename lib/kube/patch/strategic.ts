/** Strategic merge patches: merge patches that know which lists are merged, and how. */

import { UserError } from "../../user_error.ts";
import { sameJson } from "./merge.ts";
import { type ListMerge, type MergeTable, mergeTable, type MergeType } from "./merge_tables.ts";
import { isObject } from "../../fields_of.ts";

type Fields = Record<string, unknown>;

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const ELEMENT_ORDER = "$setElementOrder/";
const DELETE_FROM = "$deleteFromPrimitiveList/";

/** The patch does not fit the type: an item without its key, or an unknown directive. */
export class StrategicPatchError extends UserError {
  override readonly name = "StrategicPatchError";
}

/**
 * The original with the patch applied as objects of `type`; neither is changed, and untouched parts are shared.
 * Items of a merged list keep the original's order; items only the patch has come before those only the original has.
 */
export function applyStrategicMergePatch<T>(original: T, patch: unknown, type: MergeType): T {
  if (!isObject(patch)) throw new StrategicPatchError("Expected a strategic merge patch to be an object");
  return mergeObject(isObject(original) ? original : {}, patch, mergeTable(type)) as T;
}

function mergeObject(original: Fields, patch: Fields, table: MergeTable): Fields {
  const directive = patch[DIRECTIVE];
  if (directive === "replace") return withoutDirectives(patch);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw new StrategicPatchError(`Expected $patch to be replace, delete or merge, got ${JSON.stringify(directive)}`);
  }
  const result = retained(original, patch);
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith("$")) continue;
    if (value === null) delete result[field];
    else result[field] = mergeField(result[field], value, field, patch, table);
  }
  for (const field of listsOnlyNamedByDirectives(patch)) {
    if (Array.isArray(result[field])) result[field] = mergeField(result[field], [], field, patch, table);
  }
  return result;
}

/** The original's fields, less those that $retainKeys does not name. */
function retained(original: Fields, patch: Fields): Fields {
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return { ...original };
  if (!Array.isArray(keys)) throw new StrategicPatchError("Expected $retainKeys to be a list of field names");
  const stray = Object.keys(patch).find((field) => !field.startsWith("$") && !keys.includes(field));
  if (stray !== undefined) {
    throw new StrategicPatchError(`Expected $retainKeys to name "${stray}", which the patch sets`);
  }
  return Object.fromEntries(Object.entries(original).filter(([field]) => keys.includes(field)));
}

function listsOnlyNamedByDirectives(patch: Fields): string[] {
  const named = Object.keys(patch).flatMap((field) => {
    if (field.startsWith(ELEMENT_ORDER)) return [field.slice(ELEMENT_ORDER.length)];
    return field.startsWith(DELETE_FROM) ? [field.slice(DELETE_FROM.length)] : [];
  });
  return [...new Set(named)].filter((field) => !(field in patch));
}

function mergeField(original: unknown, value: unknown, field: string, patch: Fields, table: MergeTable): unknown {
  if (isObject(value)) {
    const type = table.fields?.[field] ?? table.values ?? "Any";
    return mergeObject(isObject(original) ? original : {}, value, mergeTable(type));
  }
  const merge = table.lists?.[field];
  if (!Array.isArray(value) || !merge) return value;
  const list: ListPatch = { field, order: patch[ELEMENT_ORDER + field], remove: patch[DELETE_FROM + field] };
  return mergeList(Array.isArray(original) ? original : undefined, value, merge, list);
}

/**
 * The directives about a list in the patch of the object around it: the order of its items, and the items to remove.
 */
interface ListPatch {
  readonly field: string;
  readonly order: unknown;
  readonly remove: unknown;
}

/** Joins two lists; where the original has none, the patch's stands as it is, two items of one key and all. */
function mergeList(
  original: readonly unknown[] | undefined,
  patch: readonly unknown[],
  merge: ListMerge,
  list: ListPatch,
): unknown[] {
  const base = original ?? [];
  const merged = "union" in merge ? mergeValues(base, patch, list) : mergeItems(original, patch, merge, list.field);
  if (!merged.ordered) return merged.items;
  const identity = "union" in merge ? (item: unknown) => item : (item: unknown) => (item as Fields)[merge.key];
  const order = Array.isArray(list.order) ? list.order.map(identity) : merged.patched;
  checkOrder(merged.patched, order, list.field);
  return inOrder(merged.items, order, base.map(identity), identity);
}

/** @throws when $setElementOrder contradicts the order of the patch's own list. */
function checkOrder(patched: readonly unknown[], order: readonly unknown[], field: string): void {
  let at = 0;
  for (const key of patched) {
    const found = order.findIndex((other, index) => index >= at && sameJson(other, key));
    if (found < 0) throw new StrategicPatchError(`The order in the patch of "${field}" doesn't match $setElementOrder`);
    at = found + 1;
  }
}

/** The items of a merge, the identities the patch named in its order, and whether their order is still to be found. */
interface MergedList {
  readonly items: unknown[];
  readonly patched: readonly unknown[];
  readonly ordered: boolean;
}

function mergeValues(original: readonly unknown[], patch: readonly unknown[], list: ListPatch): MergedList {
  const remove = Array.isArray(list.remove) ? list.remove : [];
  const items = [...new Set([...original, ...patch])].filter((item) => !remove.includes(item));
  return { items, patched: patch, ordered: true };
}

function mergeItems(
  original: readonly unknown[] | undefined,
  patch: readonly unknown[],
  merge: { readonly key: string; readonly item?: MergeType },
  field: string,
): MergedList {
  const keyOf = (item: unknown): unknown => {
    if (isObject(item) && item[merge.key] !== undefined) return item[merge.key];
    throw new StrategicPatchError(`Expected every item of "${field}" to have "${merge.key}", its merge key`);
  };
  const replaces = patch.some((item) => isObject(item) && item[DIRECTIVE] === "replace");
  if (replaces) {
    const items = patch.filter((item) => !(isObject(item) && item[DIRECTIVE] !== undefined)).map(withoutDirectives);
    return { items, patched: [], ordered: false };
  }
  let items = [...original ?? []];
  const patched: unknown[] = [];
  for (const change of patch) {
    const key = keyOf(change);
    const fields = change as Fields;
    if (fields[DIRECTIVE] === "delete") {
      items = items.filter((item) => !sameJson(keyOf(item), key));
      continue;
    }
    patched.push(key);
    const at = original ? items.findIndex((item) => sameJson(keyOf(item), key)) : -1;
    const merged = mergeObject(at < 0 ? {} : items[at] as Fields, fields, mergeTable(merge.item ?? "Any"));
    if (at < 0) items.push(merged);
    else items[at] = merged;
  }
  return { items, patched, ordered: true };
}

/** Weaves the items that the patch orders with the others, which keep the original's order. */
function inOrder(
  items: readonly unknown[],
  order: readonly unknown[],
  originalOrder: readonly unknown[],
  identity: (item: unknown) => unknown,
): unknown[] {
  const place = (list: readonly unknown[], item: unknown) => list.findIndex((key) => sameJson(key, identity(item)));
  const named = items.filter((item) => place(order, item) >= 0)
    .sort((a, b) => place(order, a) - place(order, b));
  const others = items.filter((item) => place(order, item) < 0)
    .sort((a, b) => place(originalOrder, a) - place(originalOrder, b));
  const result: unknown[] = [];
  for (const item of named) {
    const at = place(originalOrder, item);
    while (at >= 0 && others.length > 0 && place(originalOrder, others[0]) < at) result.push(others.shift());
    result.push(item);
  }
  return [...result, ...others];
}

/** A value of the patch that takes a place of its own: directives are instructions, not content. */
function withoutDirectives(value: unknown): Fields {
  if (!isObject(value)) return value as Fields;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !field.startsWith("$")));
}
