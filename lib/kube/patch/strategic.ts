/** Strategic merge patches: merge patches with tables of how lists merge. */

import { UserError } from "@tiphys/base/user_error";
import { canonicalJson } from "@tiphys/base/canonical_json";
import { sameJson, setField } from "./merge.ts";
import { PatchWork } from "./patch_work.ts";
import { fieldTable, type ListMerge, listMerge, type MergeTable, mergeTable, type MergeType } from "./merge_tables.ts";
import { isObject, ownField } from "@tiphys/base/fields_of";

type Fields = Record<string, unknown>;

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const ELEMENT_ORDER = "$setElementOrder/";
const DELETE_FROM = "$deleteFromPrimitiveList/";

/**
 * Maximum work of one merge: an item or a character of a key costs 1, copying a field more. An object and a patch of 3
 * MB each need less; only a patch that repeats one item many times needs more.
 */
const MAX_MERGE_WORK = 16_000_000;
const COPIED_FIELD = 24;

/** Error for a patch that does not fit the type (an item without its key, an unknown directive), or costs too much. */
export class StrategicPatchError extends UserError {
  override readonly name = "StrategicPatchError";
}

/**
 * Applies a patch to an object of type `type`. Neither is modified, and unchanged parts are shared. A merged list keeps
 * the original's order; items that only the patch has precede those that only the original has.
 * @throws {StrategicPatchError}
 * @throws {PatchWorkError} for more work than `limit`.
 */
export function applyStrategicMergePatch<T>(
  original: T,
  patch: unknown,
  type: MergeType,
  limit = MAX_MERGE_WORK,
): T {
  if (!isObject(patch)) throw new StrategicPatchError("Expected a strategic merge patch to be an object");
  return mergeObject(isObject(original) ? original : {}, patch, mergeTable(type), mergeWork(limit)) as T;
}

function mergeWork(limit: number): PatchWork {
  if (limit < MAX_MERGE_WORK) return new PatchWork(limit);
  return new PatchWork(limit, () => {
    throw new StrategicPatchError("The patch is too expensive: it merges the same list items repeatedly");
  });
}

function mergeObject(original: Fields, patch: Fields, table: MergeTable, work: PatchWork): Fields {
  const directive = patch[DIRECTIVE];
  if (directive === "replace") return withoutDirectives(patch);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw new StrategicPatchError(`Expected $patch to be replace, delete or merge, got ${JSON.stringify(directive)}`);
  }
  const result = retainKeys(original, patch);
  work.spend(COPIED_FIELD * Object.keys(result).length);
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith("$")) continue;
    if (value === null) delete result[field];
    else setField(result, field, mergeField({ original: ownField(result, field), value, field, patch, table }, work));
  }
  for (const field of listsOnlyNamedByDirectives(patch)) {
    const original = ownField(result, field);
    if (!Array.isArray(original)) continue;
    setField(result, field, mergeField({ original, value: [], field, patch, table }, work));
  }
  return result;
}

/** Returns the original's fields without those that $retainKeys omits. */
function retainKeys(original: Fields, patch: Fields): Fields {
  const keys = patch[RETAIN_KEYS];
  if (keys === undefined) return { ...original };
  if (!Array.isArray(keys)) throw new StrategicPatchError("Expected $retainKeys to be a list of field names");
  const names = new Set<unknown>(keys);
  const stray = Object.keys(patch).find((field) => !field.startsWith("$") && !names.has(field));
  if (stray !== undefined) {
    throw new StrategicPatchError(`Expected $retainKeys to name "${stray}", which the patch sets`);
  }
  return Object.fromEntries(Object.entries(original).filter(([field]) => names.has(field)));
}

function listsOnlyNamedByDirectives(patch: Fields): string[] {
  const named = Object.keys(patch).flatMap((field) => {
    if (field.startsWith(ELEMENT_ORDER)) return [field.slice(ELEMENT_ORDER.length)];
    return field.startsWith(DELETE_FROM) ? [field.slice(DELETE_FROM.length)] : [];
  });
  return [...new Set(named)].filter((field) => !Object.hasOwn(patch, field));
}

/** A field to merge: its values in the original and patch, and the patch and table of the surrounding object. */
interface FieldMerge {
  readonly original: unknown;
  readonly value: unknown;
  readonly field: string;
  readonly patch: Fields;
  readonly table: MergeTable;
}

function mergeField({ original, value, field, patch, table }: FieldMerge, work: PatchWork): unknown {
  if (isObject(value)) {
    return mergeObject(isObject(original) ? original : {}, value, fieldTable(table, field), work);
  }
  const merge = listMerge(table, field);
  if (!Array.isArray(value) || !merge) return value;
  const list: ListPatch = { field, order: patch[ELEMENT_ORDER + field], remove: patch[DELETE_FROM + field] };
  return mergeList(Array.isArray(original) ? original : undefined, value, { merge, list, work });
}

/** The list directives in the patch of the surrounding object: the order of items, and the items to remove. */
interface ListPatch {
  readonly field: string;
  readonly order: unknown;
  readonly remove: unknown;
}

/** Merges two lists. If the original has no such list, the patch's list is used unchanged, even with duplicate keys. */
function mergeList(
  original: readonly unknown[] | undefined,
  patch: readonly unknown[],
  { merge, list, work }: { readonly merge: ListMerge; readonly list: ListPatch; readonly work: PatchWork },
): unknown[] {
  const base = original ?? [];
  work.spend(base.length + patch.length);
  const merged = "union" in merge
    ? mergeValues(base, patch, list)
    : mergeItems(original, patch, { merge, field: list.field, work });
  if (!merged.isOrdered) return merged.items;
  const identity = "union" in merge ? (item: unknown) => item : (item: unknown) => (item as Fields)[merge.key];
  const order = Array.isArray(list.order) ? list.order.map(identity) : merged.patched;
  checkOrder(merged.patched, order, list.field);
  return mergedOrder(merged.items, { order, originalOrder: base.map(identity), identity, work });
}

/** @throws {StrategicPatchError} when $setElementOrder contradicts the order of the patch's list. */
function checkOrder(patched: readonly unknown[], order: readonly unknown[], field: string): void {
  let offset = 0;
  for (const key of patched) {
    while (offset < order.length && !sameJson(order[offset], key)) offset++;
    if (offset === order.length) {
      throw new StrategicPatchError(`The order in the patch of "${field}" doesn't match $setElementOrder`);
    }
    offset++;
  }
}

/** The merged items, the patch's identities in its order, and whether the order is final. */
interface MergedList {
  readonly items: unknown[];
  readonly patched: readonly unknown[];
  readonly isOrdered: boolean;
}

function mergeValues(original: readonly unknown[], patch: readonly unknown[], list: ListPatch): MergedList {
  const remove = new Set(Array.isArray(list.remove) ? list.remove : []);
  const items = [...new Set([...original, ...patch])].filter((item) => !remove.has(item));
  return { items, patched: patch, isOrdered: true };
}

function mergeItems(
  original: readonly unknown[] | undefined,
  patch: readonly unknown[],
  { merge, field, work }: {
    readonly merge: { readonly key: string; readonly item?: MergeType };
    readonly field: string;
    readonly work: PatchWork;
  },
): MergedList {
  const keyOf = (item: unknown): unknown => {
    if (isObject(item) && item[merge.key] !== undefined) return item[merge.key];
    throw new StrategicPatchError(`Expected every item of "${field}" to have "${merge.key}", its merge key`);
  };
  const replaces = patch.some((item) => isObject(item) && item[DIRECTIVE] === "replace");
  if (replaces) {
    const items = patch.filter((item) => !(isObject(item) && item[DIRECTIVE] !== undefined)).map(withoutDirectives);
    return { items, patched: [], isOrdered: false };
  }
  const items = [...original ?? []];
  const places = placesOf(patch.length === 0 ? [] : items.map(keyOf), work);
  const gone = new Set<number>();
  const patched: unknown[] = [];
  for (const change of patch) {
    const key = keyOf(change);
    const fields = change as Fields;
    const text = canonicalJson(key);
    const known = places.get(text);
    if (fields[DIRECTIVE] === "delete") {
      for (const place of known ?? []) gone.add(place);
      places.delete(text);
      continue;
    }
    patched.push(key);
    const at = original && known?.[0];
    const merged = mergeObject(
      at === undefined ? {} : items[at] as Fields,
      fields,
      mergeTable(merge.item ?? "Any"),
      work,
    );
    if (at !== undefined) items[at] = merged;
    else addPlace(places, text, items.push(merged) - 1);
  }
  return { items: items.filter((_, index) => !gone.has(index)), patched, isOrdered: true };
}

/** Returns the indexes of each identity in a list, keyed by its JSON, because a list may be very long. */
function placesOf(identities: readonly unknown[], work: PatchWork): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, identity] of identities.entries()) {
    const key = canonicalJson(identity);
    work.spend(key.length);
    addPlace(places, key, place);
  }
  return places;
}

function addPlace(places: Map<string, number[]>, key: string, index: number): void {
  const known = places.get(key);
  if (known) known.push(index);
  else places.set(key, [index]);
}

/** Merges the items in the patch's order with the others, which keep the original's order. */
function mergedOrder(
  items: readonly unknown[],
  { order, originalOrder, identity, work }: {
    readonly order: readonly unknown[];
    readonly originalOrder: readonly unknown[];
    readonly identity: (item: unknown) => unknown;
    readonly work: PatchWork;
  },
): unknown[] {
  const orderPlaces = placesOf(order, work);
  const originalPlaces = placesOf(originalOrder, work);
  const placed = items.map((item) => {
    const key = canonicalJson(identity(item));
    return { item, named: orderPlaces.get(key)?.[0] ?? -1, first: originalPlaces.get(key)?.[0] ?? -1 };
  });
  const named = placed.filter((candidate) => candidate.named >= 0).sort((a, b) => a.named - b.named);
  const others = placed.filter((candidate) => candidate.named < 0).sort((a, b) => a.first - b.first);
  const result: unknown[] = [];
  let next = 0;
  for (const { item, first } of named) {
    while (first >= 0 && next < others.length && others[next]!.first < first) result.push(others[next++]!.item);
    result.push(item);
  }
  return [...result, ...others.slice(next).map(({ item }) => item)];
}

/** Removes the directives from a value of the patch that is inserted. */
function withoutDirectives(value: unknown): Fields {
  if (!isObject(value)) return value as Fields;
  return Object.fromEntries(Object.entries(value).filter(([field]) => !field.startsWith("$")));
}
