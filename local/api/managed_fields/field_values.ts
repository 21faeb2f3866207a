/** Converts values to sets of fields, and applies sets of fields to values. */

import { sameJson } from "@tiphys/kube/patch";
import { EMPTY, type FieldSet, fieldSet, LEAF } from "./field_set.ts";
import { isContainerPath, isOwnable, type Shape } from "./shape.ts";
import { isObject, ownField } from "@tiphys/base/fields_of";

type Fields = Record<string, unknown>;

/** A part of a value: the step to it, the part, and its shape. */
interface Part {
  readonly step: string;
  readonly value: unknown;
  readonly shape: Shape;
}

/** The parts of a value; undefined if the value is owned as a whole. */
function partsOf(value: unknown, shape: Shape, path: readonly string[]): Part[] | undefined {
  if (shape.kind === "map" && isObject(value)) {
    const parts: Part[] = [];
    for (const name of Object.keys(value)) {
      const below = value[name];
      if (below === undefined || !isOwnable(path, name)) continue;
      parts.push({ step: `f:${name}`, value: below, shape: shape.fields(name) });
    }
    return parts;
  }
  if (!Array.isArray(value)) return undefined;
  const parts = shape.kind === "values"
    ? value.map((item) => ({ step: `v:${JSON.stringify(item)}`, value: item, shape: { kind: "whole" } as const }))
    : shape.kind === "items"
    ? value.map((item) => ({ step: itemStep(item, shape.keys), value: item, shape: shape.item }))
    : undefined;
  // Items with missing or duplicate keys cannot be distinguished, so such a list is owned as a whole.
  const steps = new Set(parts?.map(({ step }) => step));
  return parts === undefined || steps.has("") || steps.size < parts.length ? undefined : parts;
}

function itemStep(item: unknown, keys: readonly string[]): string {
  if (!isObject(item)) return "";
  const found = keys.map((key) => [key, item[key] ?? (key === "protocol" ? "TCP" : undefined)] as const);
  if (found.some(([, value]) => value === undefined)) return "";
  return `k:${JSON.stringify(Object.fromEntries(found))}`;
}

/** The path of names below a step, as far as isOwnable() needs it. */
function pathBelow(path: readonly string[], step: string): readonly string[] {
  return path.length > 1 ? path : [...path, step.slice(2)];
}

/** Whether a value has no parts: most fields of a large object are checked for this only. */
function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** The fields that a writer applies with this value: its leaves, and the items of its lists. */
export function fieldsApplied(value: unknown, shape: Shape, path: readonly string[] = []): FieldSet {
  const parts = partsOf(value, shape, path);
  if (parts === undefined || (parts.length === 0 && !isContainerPath(path))) return LEAF;
  return fieldSet(
    false,
    parts.map(({ step, value, shape }) => {
      if (isScalar(value)) return [step, LEAF];
      const fields = fieldsApplied(value, shape, pathBelow(path, step));
      return [step, step.startsWith("k:") ? { ...fields, member: true } : fields];
    }),
  );
}

/** All fields of a value, including containers. */
function allFields(value: unknown, shape: Shape, path: readonly string[]): FieldSet {
  const parts = partsOf(value, shape, path);
  return fieldSet(
    !isContainerPath(path),
    (parts ?? []).map(({ step, value, shape }) =>
      [step, isScalar(value) ? LEAF : allFields(value, shape, pathBelow(path, step))] as const
    ),
  );
}

/** The fields of `after` that are new or different from `before`. */
export function fieldsChanged(before: unknown, after: unknown, shape: Shape, path: readonly string[] = []): FieldSet {
  if (before === after) return EMPTY;
  if (before === undefined) return allFields(after, shape, path);
  if (shape.kind === "map" && isObject(before) && isObject(after)) {
    const changed: [string, FieldSet][] = [];
    for (const name of Object.keys(after)) {
      const [was, is] = [ownField(before, name), after[name]];
      if (was === is || is === undefined || !isOwnable(path, name)) continue;
      const step = `f:${name}`;
      const isLeaf = isScalar(is);
      changed.push([step, isLeaf ? LEAF : fieldsChanged(was, is, shape.fields(name), pathBelow(path, step))]);
    }
    return fieldSet(false, changed);
  }
  const old = partsOf(before, shape, path);
  const now = partsOf(after, shape, path);
  if (old === undefined || now === undefined) return sameJson(before, after) ? EMPTY : allFields(after, shape, path);
  const oldValues = new Map(old.map(({ step, value }) => [step, value]));
  return fieldSet(
    false,
    now.map(({ step, value, shape }) =>
      [step, fieldsChanged(oldValues.get(step), value, shape, pathBelow(path, step))] as const
    ),
  );
}

/** The members of a set that exist in a value. */
export function fieldsPresent(set: FieldSet, value: unknown, shape: Shape, path: readonly string[] = []): FieldSet {
  if (set.below.size === 0) return set;
  // Only the fields of the set are looked up: an object can be large, and have many owners of few fields each.
  if (shape.kind === "map" && isObject(value)) {
    const present: [string, FieldSet][] = [];
    let isWhole = true;
    for (const [step, fields] of set.below) {
      const name = step.slice(2);
      const part = step.startsWith("f:") && isOwnable(path, name) ? ownField(value, name) : undefined;
      const isLeaf = fields.below.size === 0;
      const left = part === undefined
        ? EMPTY
        : isLeaf
        ? fields
        : fieldsPresent(fields, part, shape.fields(name), pathBelow(path, step));
      isWhole &&= left === fields;
      present.push([step, left]);
    }
    return isWhole ? set : fieldSet(set.member, present);
  }
  const parts = new Map(partsOf(value, shape, path)?.map((part) => [part.step, part]));
  return fieldSet(
    set.member,
    [...set.below].flatMap(([step, fields]) => {
      const part = parts.get(step);
      return part ? [[step, fieldsPresent(fields, part.value, part.shape, pathBelow(path, step))] as const] : [];
    }),
  );
}

/** Merges a value into another one. Items keep their order, and new ones are appended. */
export function mergeValues(live: unknown, applied: unknown, shape: Shape, path: readonly string[] = []): unknown {
  if (shape.kind === "map" && isObject(applied) && isObject(live)) {
    const merged: Fields = { ...live };
    for (const name of Object.keys(applied)) {
      const value = applied[name];
      if (value === undefined || !isOwnable(path, name)) continue;
      merged[name] = isScalar(value)
        ? value
        : mergeValues(merged[name], value, shape.fields(name), pathBelow(path, `f:${name}`));
    }
    return merged;
  }
  const parts = partsOf(applied, shape, path);
  const liveParts = partsOf(live, shape, path);
  if (parts === undefined || liveParts === undefined) return applied;
  const wanted = new Map(parts.map((part) => [part.step, part]));
  const kept = liveParts.map(({ step, value }) => {
    const part = wanted.get(step);
    wanted.delete(step);
    return part ? mergeValues(value, part.value, part.shape, pathBelow(path, step)) : value;
  });
  return [...kept, ...[...wanted.values()].map(({ value }) => value)];
}

/** Removes the members of a set from a value, and containers that become empty unless `remaining` contains them. */
export function removeFields(
  value: unknown,
  set: FieldSet,
  remaining: FieldSet,
  shape: Shape,
  path: readonly string[] = [],
): unknown {
  if (set.below.size === 0) return value;
  const parts = partsOf(value, shape, path);
  if (parts === undefined) return value;
  const left = parts.flatMap(({ step, value, shape }) => {
    const gone = set.below.get(step);
    if (gone === undefined) return [{ step, value }];
    const owned = remaining.below.get(step);
    if (gone.member && owned === undefined) return [];
    const rest = removeFields(value, gone, owned ?? EMPTY, shape, pathBelow(path, step));
    return isEmptyValue(rest) && !isEmptyValue(value) && owned === undefined ? [] : [{ step, value: rest }];
  });
  if (Array.isArray(value)) return left.map(({ value }) => value);
  const unowned = Object.entries(value as Fields).filter(([name]) => !isOwnable(path, name));
  return Object.fromEntries([...unowned, ...left.map(({ step, value }) => [step.slice(2), value])]);
}

function isEmptyValue(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
