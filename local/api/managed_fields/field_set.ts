/**
 * Sets of fields: trees whose branches are the steps of paths. A step is spelled as in `fieldsV1`: `f:NAME` for a
 * field, `k:{"name":"main"}` for the list item with this key, `v:"x"` for a scalar item.
 */
import { parseJson } from "@tiphys/base/bounded_json";
import { fieldsOf } from "@tiphys/base/fields_of";

/** A field, whether it is a member of the set itself, and the fields below it. */
export interface FieldSet {
  readonly member: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

/** A set in JSON: `"."` means that the field itself is a member, which is implied if there is nothing below it. */
export interface FieldsV1 {
  readonly [step: string]: FieldsV1;
}

export const EMPTY: FieldSet = { member: false, below: new Map() };
export const LEAF: FieldSet = { member: true, below: new Map() };

export function isEmpty(set: FieldSet): boolean {
  return !set.member && set.below.size === 0;
}

/**
 * A set of fields below a field. Branches without members are omitted. An object may have a hundred thousand leaves.
 */
export function fieldSet(member: boolean, below: Iterable<readonly [string, FieldSet]>): FieldSet {
  let filled: Map<string, FieldSet> | undefined;
  for (const [step, set] of below) {
    if (isEmpty(set)) continue;
    filled ??= new Map();
    filled.set(step, set);
  }
  return filled === undefined ? (member ? LEAF : EMPTY) : { member, below: filled };
}

/** The members of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(a)) return b;
  if (isEmpty(b) || a === b) return a;
  const steps = new Set([...a.below.keys(), ...b.below.keys()]);
  return fieldSet(
    a.member || b.member,
    [...steps].map((step) => [step, union(a.below.get(step) ?? EMPTY, b.below.get(step) ?? EMPTY)] as const),
  );
}

/** The members of the first set that are not in the second. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  if (a === b) return EMPTY;
  return fieldSet(
    a.member && !b.member,
    [...a.below].map(([step, set]) => [step, difference(set, b.below.get(step) ?? EMPTY)] as const),
  );
}

/** The members of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  return fieldSet(
    a.member && b.member,
    [...a.below].map(([step, set]) => [step, intersection(set, b.below.get(step) ?? EMPTY)] as const),
  );
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  return a === b || a.member === b.member && a.below.size === b.below.size &&
      [...a.below].every(([step, set]) => sameSet(set, b.below.get(step) ?? EMPTY));
}

/** The members as text for users: `.spec.containers[name="main"].image`. */
export function pathsOf(set: FieldSet, path = ""): string[] {
  return [
    ...(set.member && path !== "" ? [path] : []),
    ...[...set.below].flatMap(([step, below]) => pathsOf(below, path + readableStep(step))),
  ];
}

function readableStep(step: string): string {
  const text = step.slice(2);
  if (step.startsWith("f:")) return `.${text}`;
  if (step.startsWith("v:")) return `[=${text}]`;
  const keys = Object.entries(fieldsOf(parseJson(text)));
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",")}]`;
}

export function encodeFields(set: FieldSet): FieldsV1 {
  if (set.below.size === 0) return {};
  const below = [...set.below].map(([step, set]) => [step, encodeFields(set)] as const);
  return Object.fromEntries(set.member && below.length > 0 ? [[".", {}] as const, ...below] : below);
}

/** Parses the result of encodeFields(). The outermost level, the object itself, is never a member. */
export function decodeFields(fields: FieldsV1): FieldSet {
  return { ...decode(fields), member: false };
}

function decode(fields: FieldsV1): FieldSet {
  const steps = Object.keys(fields);
  if (steps.length === 0) return LEAF;
  const below = steps.filter((step) => step !== ".");
  return fieldSet(below.length < steps.length, below.map((step) => [step, decode(fields[step]!)] as const));
}
