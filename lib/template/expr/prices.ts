/**
 * The prices of functions: nanoseconds of a machine like that of docs/template-language.md, charged before a function
 * runs.
 *
 * A price is an upper bound within a factor of three or so, not a mean: it is what keeps a run short whatever its operands
 * are. `prices_test.ts` insists that every function has one; `prices_bench.ts` measures them.
 */
import { GoDuration, GoFunction, GoInt, GoList, GoMap, GoObject, GoTime, GoZone, type Value } from "../../go/mod.ts";
import type { Budget } from "./budget.ts";
import { fail } from "./failure.ts";

/** Charges a call before it is made. */
export type Price = (args: readonly Value[], budget: Budget, name: string) => void;

/** Nanoseconds for each digit that is read as a number, which may be one of a million digits. */
export const LONG_NUMBER = 150;

/** Nanoseconds for a call, whatever it does. */
const CALL = 150;
/** Nanoseconds for each value or character that is looked at when a size is found out. */
const LOOK = 5;

/** The length of a text or list, and of a map, which takes as long to find out as it says. */
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

/** Text lengths in Go's notations that are at least so long, of the values that are written in a few characters. */
const SCALAR = 4;

/** Values after which it is asked whether they are shared: as many are walked in a few milliseconds. */
const WALKED = 200_000;
/** Nanoseconds to look at a value and to remember its size. */
const REMEMBER = 100;

/**
 * The size of values: the characters and values within them. Shared ones count as often as they are met, since whatever
 * walks the values meets them as often. The walk is charged for as it goes. A few lines which double a list thirty times
 * are stopped here, and a map that was put into itself: where there are many values, each is looked at once.
 */
export function deepSize(values: readonly Value[], budget: Budget): number {
  let size = 0;
  let charged = 0;
  let walked = 0;
  const open: Value[] = [...values];
  while (open.length > 0) {
    size += look(open.pop()!, open);
    if (++walked + open.length > WALKED) return sharedSize(values, budget);
    if (size - charged < 10_000) continue;
    budget.spend((size - charged) * LOOK);
    charged = size;
  }
  return size;
}

/** The size of a value without its parts, which are added to `parts`. */
function look(value: Value, parts: Value[]): number {
  if (typeof value === "string") return SCALAR + value.length;
  if (value === null || typeof value !== "object") return SCALAR;
  if (Array.isArray(value)) { for (const item of value) parts.push(item); }
  else if (value instanceof GoList) { for (const item of value.items) parts.push(item); }
  else if (value instanceof Uint8Array) return SCALAR + value.length * SCALAR;
  else if (value instanceof GoMap) { for (const [key, item] of value.entries()) parts.push(key, item); }
  else if (value instanceof GoObject) {
    for (const item of value.fields.values()) parts.push(item);
    return SCALAR + value.text.length;
  } else if (!isLeaf(value)) {
    let names = 0;
    for (const name in value as Readonly<Record<string, Value>>) {
      names += name.length;
      parts.push((value as Readonly<Record<string, Value>>)[name] ?? null);
    }
    return SCALAR + names;
  }
  return SCALAR;
}

/** A value whose parts are being looked at, and the size of those that were. */
interface OpenValue {
  readonly value: Value;
  readonly parts: Value[];
  size: number;
}

/** The same size with each list and map looked at once; fails for one that lies within itself, which has none. */
function sharedSize(values: readonly Value[], budget: Budget): number {
  const sizes = new Map<Value, number | "open">();
  const root: OpenValue = { value: null, parts: [...values], size: 0 };
  let parts: Value[] = [];
  const open = [root];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const part = at.parts.pop();
    if (part === undefined) {
      open.pop();
      sizes.set(at.value, at.size);
      budget.spend(REMEMBER);
      const around = open.at(-1);
      if (around) around.size += at.size;
      continue;
    }
    const known = typeof part === "object" && part !== null ? sizes.get(part) : undefined;
    if (known === "open") fail("a list or map that lies within itself has no end");
    if (known !== undefined) at.size += known;
    else {
      const size = look(part, parts);
      if (parts.length === 0) at.size += size;
      else {
        sizes.set(part, "open");
        open.push({ value: part, parts, size });
        parts = [];
      }
    }
  }
  budget.spend(root.size * LOOK);
  return root.size;
}

/** The same for every call. */
export function fixed(nanoseconds = 0): Price {
  return (_args, budget, name) => budget.spend(CALL + nanoseconds, name);
}

/** By the lengths of the operands. */
export function byLength(nanoseconds: number): Price {
  return (args, budget, name) => {
    let length = 0;
    for (const arg of args) length += lengthOf(arg);
    budget.spend(CALL + length * nanoseconds, name);
  };
}

/** By all that lies within the operands. */
export function byDepth(nanoseconds: number): Price {
  return (args, budget, name) => {
    budget.spend(CALL);
    budget.spend(deepSize(args, budget) * nanoseconds, name);
  };
}

/** Nanoseconds to look for one text in another: the host compares each place with a part of what it looks for. */
export function searchCost(text: number, part: number): number {
  return text * 2 + text * Math.min(part, text) * 0.35;
}

/** Looks for the text at `part` in the text at `text`; what is made of it costs so much for each character. */
export function bySearch(text: number, part: number, nanoseconds = 0): Price {
  return (args, budget, name) => {
    const length = lengthOf(args[text] ?? null);
    budget.spend(CALL + searchCost(length, lengthOf(args[part] ?? null)) + length * nanoseconds, name);
  };
}

/** Sorts what lies in the first operand. */
export const bySorting: Price = (args, budget, name) => {
  const size = deepSize(args.slice(0, 1), budget);
  budget.spend(CALL + size * 10 * Math.log2(size + 2), name);
};

/** Charges for elements that a call made. */
export function elementsMade(value: Value, budget: Budget): void {
  if (value === null || typeof value !== "object") return;
  const length = lengthOf(value);
  if (length > 0) budget.take(length);
}
