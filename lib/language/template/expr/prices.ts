/**
 * The prices of functions: nanoseconds of the machine in docs/template-language.md, charged before a function runs.
 *
 * A price is an upper bound within a factor of about three, not a mean: it keeps a run short for all operands.
 * `prices_test.ts` checks that every function has a price; `prices_bench.ts` measures them.
 */
import { GoDuration, GoFunction, GoInt, GoList, GoMap, GoObject, GoTime, GoZone, type Value } from "@tiphys/base/go";
import type { Budget } from "./budget.ts";
import { fail } from "./failure.ts";

/** Charges for a call before it is made. */
export type Price = (args: readonly Value[], budget: Budget, name: string) => void;

/** Nanoseconds for each digit of a parsed number, which may have a million digits. */
export const DIGIT_COST = 150;

/** Nanoseconds for any call. */
const CALL_COST = 150;
/** Nanoseconds for each value or character that is visited to compute a size. */
const VISIT_COST = 5;

/** Returns the length of a text, list or map. For a map, computing it takes time in proportion. */
function lengthOf(value: Value): number {
  if (typeof value === "string" || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value === null || typeof value !== "object") return 0;
  if (value instanceof GoList) return value.items.length;
  if (value instanceof GoMap) return value.size;
  if (isLeaf(value)) return 0;
  let count = 0;
  for (const _ in value as object) count++;
  return count;
}

function isLeaf(value: object): boolean {
  return value instanceof GoInt || value instanceof GoDuration || value instanceof GoTime || value instanceof GoZone ||
    value instanceof GoFunction;
}

/** Lower bound of the length of scalar values in Go's notations. */
const MIN_SCALAR_LENGTH = 4;

/** Number of values after which shared values are detected; visiting that many takes a few milliseconds. */
const MAX_REPEATED_VISITS = 200_000;
/** Nanoseconds to visit a value and to record its size. */
const RECORD_COST = 100;

/**
 * Returns the size of values: the characters and values within them. Shared values count at each occurrence, because
 * code that walks the values visits them as often. The walk is charged as it proceeds. From `MAX_REPEATED_VISITS`
 * values on, each value is visited once, which stops a list that was doubled thirty times, and a map that contains
 * itself.
 */
export function deepSize(values: readonly Value[], budget: Budget): number {
  let size = 0;
  let charged = 0;
  let walked = 0;
  const open: Value[] = [...values];
  while (open.length > 0) {
    size += shallowSize(open.pop()!, open);
    if (++walked + open.length > MAX_REPEATED_VISITS) return sharedSize(values, budget);
    if (size - charged < 10_000) continue;
    budget.charge((size - charged) * VISIT_COST);
    charged = size;
  }
  return size;
}

/** Returns the size of a value without its parts, which are added to `parts`. */
function shallowSize(value: Value, parts: Value[]): number {
  if (typeof value === "string") return MIN_SCALAR_LENGTH + value.length;
  if (value === null || typeof value !== "object") return MIN_SCALAR_LENGTH;
  if (Array.isArray(value)) { for (const item of value) parts.push(item); }
  else if (value instanceof GoList) { for (const item of value.items) parts.push(item); }
  else if (value instanceof Uint8Array) return MIN_SCALAR_LENGTH + value.length * MIN_SCALAR_LENGTH;
  else if (value instanceof GoMap) { for (const [key, item] of value.entries()) parts.push(key, item); }
  else if (value instanceof GoObject) {
    for (const item of value.fields.values()) parts.push(item);
    return MIN_SCALAR_LENGTH + value.text.length;
  } else if (!isLeaf(value)) {
    let names = 0;
    for (const name in value as Readonly<Record<string, Value>>) {
      names += name.length;
      parts.push((value as Readonly<Record<string, Value>>)[name] ?? null);
    }
    return MIN_SCALAR_LENGTH + names;
  }
  return MIN_SCALAR_LENGTH;
}

/** A value whose parts are being visited, and the size of those already visited. */
interface PartlyVisitedValue {
  readonly value: Value;
  readonly parts: Value[];
  size: number;
}

/** Computes the same size, visiting each list and map once. Fails for a value that contains itself. */
function sharedSize(values: readonly Value[], budget: Budget): number {
  const sizes = new Map<Value, number | "open">();
  const root: PartlyVisitedValue = { value: null, parts: [...values], size: 0 };
  let parts: Value[] = [];
  const open = [root];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const part = current.parts.pop();
    if (part === undefined) {
      open.pop();
      sizes.set(current.value, current.size);
      budget.charge(RECORD_COST);
      const around = open.at(-1);
      if (around) around.size += current.size;
      continue;
    }
    const known = typeof part === "object" && part !== null ? sizes.get(part) : undefined;
    if (known === "open") fail("a list or map that lies within itself has no end");
    if (known !== undefined) current.size += known;
    else {
      const size = shallowSize(part, parts);
      if (parts.length === 0) current.size += size;
      else {
        sizes.set(part, "open");
        open.push({ value: part, parts, size });
        parts = [];
      }
    }
  }
  budget.charge(root.size * VISIT_COST);
  return root.size;
}

/** The same price for every call. */
export function fixed(nanoseconds = 0): Price {
  return (_args, budget, name) => budget.charge(CALL_COST + nanoseconds, name);
}

/** A price in proportion to the lengths of the operands. */
export function byLength(nanoseconds: number): Price {
  return (args, budget, name) => {
    let length = 0;
    for (const arg of args) length += lengthOf(arg);
    budget.charge(CALL_COST + length * nanoseconds, name);
  };
}

/** A price in proportion to the size of the operands at any depth. */
export function byDepth(nanoseconds: number): Price {
  return (args, budget, name) => {
    budget.charge(CALL_COST);
    budget.charge(deepSize(args, budget) * nanoseconds, name);
  };
}

/** Nanoseconds to search a text for another one: the host compares each position with a part of the searched text. */
export function searchCost(text: number, part: number): number {
  return text * 2 + text * Math.min(part, text) * 0.35;
}

/** Price of searching the text at index `part` in that at index `text`. `nanoseconds` are added for each character. */
export function bySearch(text: number, part: number, nanoseconds = 0): Price {
  return (args, budget, name) => {
    const length = lengthOf(args[text] ?? null);
    budget.charge(CALL_COST + searchCost(length, lengthOf(args[part] ?? null)) + length * nanoseconds, name);
  };
}

/** Price of sorting the first operand. */
export const bySorting: Price = (args, budget, name) => {
  const size = deepSize(args.slice(0, 1), budget);
  budget.charge(CALL_COST + size * 10 * Math.log2(size + 2), name);
};

/** Charges for the elements that a call created. */
export function chargeNewElements(value: Value, budget: Budget): void {
  if (value === null || typeof value !== "object") return;
  const length = lengthOf(value);
  if (length > 0) budget.chargeElements(length);
}
