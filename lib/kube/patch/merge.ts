/** JSON merge patches (RFC 7396). */
import { fieldsOf, isObject, ownField } from "@tiphys/base/fields_of";
import type { PatchWork } from "./patch_work.ts";

type Fields = Record<string, unknown>;

/** The work to copy a field, in units of {@link PatchWork}. */
const COPIED_FIELD = 24;

/**
 * Applies the patch to the target. Neither is modified, and unchanged parts are shared.
 * @throws {PatchWorkError} above the limit of `work`; without it, the work is not limited.
 */
export function applyMergePatch<T>(target: T, patch: unknown, work?: PatchWork): T {
  return mergeValues(target, patch, work) as T;
}

function mergeValues(target: unknown, patch: unknown, work: PatchWork | undefined): unknown {
  if (!isObject(patch)) return patch;
  const fields = Object.entries(patch);
  work?.spend(COPIED_FIELD * (fields.length + Object.keys(fieldsOf(target)).length));
  const result: Fields = isObject(target) ? { ...target } : {};
  for (const [field, value] of fields) {
    if (value === null) delete result[field];
    else setField(result, field, mergeValues(ownField(result, field), value, work));
  }
  return result;
}

/** Returns the smallest patch that turns `from` into `to`; undefined when they are equal. */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return sameJson(from, to) ? undefined : to;
  const patch: Fields = {};
  for (const field of Object.keys(from)) {
    if (from[field] !== undefined && ownField(to, field) === undefined) setField(patch, field, null);
  }
  for (const [field, value] of Object.entries(to)) {
    if (value === undefined) continue;
    const before = ownField(from, field);
    const change = before === undefined ? value : createMergePatch(before, value);
    if (change !== undefined) setField(patch, field, change);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Assigns a field as data, even one named `__proto__`. */
export function setField(object: Fields, field: string, value: unknown): void {
  if (field === "__proto__") {
    Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
  } else object[field] = value;
}

/** Whether two JSON values are equal; the order of an object's fields does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  // Avoids a list of fields for each object, because whole workflows are compared.
  let fields = 0;
  for (const field in a) {
    if (a[field] === undefined) continue;
    if (b[field] === undefined || !sameJson(a[field], b[field])) return false;
    fields++;
  }
  for (const field in b) if (b[field] !== undefined) fields--;
  return fields === 0;
}
