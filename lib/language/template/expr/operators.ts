/** The operators on values of every type. */
import {
  compareText,
  GoDuration,
  GoInt,
  GoList,
  GoMap,
  GoObject,
  GoTime,
  GoZone,
  INT_SLICE,
  isNil,
  isPlainMap,
  listItems,
  pow,
  truncateToInt64,
  typeName,
  typeOf,
  type Value,
  wrapInt64,
} from "@tiphys/base/go";
import { chargeRun, MAX_TEXT_LENGTH } from "./budget.ts";
import { fail } from "./failure.ts";

/** Returns a number of any builtin type as bigint or number; undefined for defined types such as `time.Month`. */
function numeric(value: Value): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof GoInt && !value.type.defined ? value.value : undefined;
}

/** Evaluates `int(x)` of an operand: floats are truncated, other types fail. */
export function toInt(value: Value): bigint {
  const number = numeric(value);
  if (number === undefined) fail(`invalid operation: int(${typeName(value)})`);
  return typeof number === "bigint" ? wrapInt64(number) : truncateToInt64(number);
}

/** Evaluates `float(x)` of an operand. */
export function toFloat(value: Value): number {
  const number = numeric(value);
  if (number === undefined) fail(`invalid operation: float(${typeName(value)})`);
  return Number(number);
}

/** Returns the boolean that an operator, condition or predicate requires. */
export function toBool(value: Value): boolean {
  if (typeof value === "boolean") return value;
  return fail(`interface conversion: interface {} is ${typeName(value).replace("<nil>", "nil")}, not bool`);
}

/** Returns the string that an operator or argument requires. */
export function toStringOperand(value: Value): string {
  if (typeof value === "string") return value;
  return fail(`interface conversion: interface {} is ${typeName(value).replace("<nil>", "nil")}, not string`);
}

function mismatch(operator: string, a: Value, b: Value): never {
  return fail(`invalid operation: ${typeName(a)} ${operator} ${typeName(b)}`);
}

function concatTexts(a: string, b: string): string {
  return a.length + b.length > MAX_TEXT_LENGTH ? fail("memory budget exceeded") : a + b;
}

/** The operators that compute a value from two, by their text. */
export const ARITHMETIC: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": modulo,
  "**": power,
  "^": power,
};

/** `a + b`: numbers, strings, durations, and a time with a duration. */
export function add(a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return wrapInt64(a + b);
  if (typeof a === "string" && typeof b === "string") return concatTexts(a, b);
  if (a instanceof GoTime && b instanceof GoDuration) return a.add(b.nanoseconds);
  if (a instanceof GoDuration && b instanceof GoTime) return b.add(a.nanoseconds);
  if (a instanceof GoDuration && b instanceof GoDuration) return duration(a.nanoseconds + b.nanoseconds);
  const [x, y] = [numeric(a), numeric(b)];
  if (x === undefined || y === undefined) mismatch("+", a, b);
  return typeof x === "bigint" && typeof y === "bigint" ? wrapInt64(x + y) : Number(x) + Number(y);
}

/** `a - b`: numbers, durations, times, and a time less a duration. */
export function subtract(a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return wrapInt64(a - b);
  if (a instanceof GoTime && b instanceof GoTime) return new GoDuration(a.since(b));
  if (a instanceof GoTime && b instanceof GoDuration) return a.add(wrapInt64(-b.nanoseconds));
  if (a instanceof GoDuration && b instanceof GoDuration) return duration(a.nanoseconds - b.nanoseconds);
  const [x, y] = [numeric(a), numeric(b)];
  if (x === undefined || y === undefined) mismatch("-", a, b);
  return typeof x === "bigint" && typeof y === "bigint" ? wrapInt64(x - y) : Number(x) - Number(y);
}

/** `a * b`: numbers, and durations with integers or each other; a duration times a float is a float. */
export function multiply(a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return wrapInt64(a * b);
  const left = a instanceof GoDuration ? a.nanoseconds : numeric(a);
  const right = b instanceof GoDuration ? b.nanoseconds : numeric(b);
  if (left === undefined || right === undefined) mismatch("*", a, b);
  if (typeof left !== "bigint" || typeof right !== "bigint") return Number(left) * Number(right);
  const product = wrapInt64(left * right);
  return a instanceof GoDuration || b instanceof GoDuration ? new GoDuration(product) : product;
}

function duration(nanoseconds: bigint): GoDuration {
  return new GoDuration(wrapInt64(nanoseconds));
}

/** `a / b`: always a float. */
export function divide(a: Value, b: Value): number {
  const [x, y] = [numeric(a), numeric(b)];
  if (x === undefined || y === undefined) mismatch("/", a, b);
  return Number(x) / Number(y);
}

/** `a % b` of integers, with the sign of a. */
export function modulo(a: Value, b: Value): bigint {
  const [x, y] = [numeric(a), numeric(b)];
  if (typeof x !== "bigint" || typeof y !== "bigint") mismatch("%", a, b);
  if (y === 0n) fail("runtime error: integer divide by zero");
  return wrapInt64(x % y);
}

/** `a ** b`: a float. */
export function power(a: Value, b: Value): number {
  return pow(toFloat(a), toFloat(b));
}

/** `-a` of a number. */
export function negate(value: Value): Value {
  if (typeof value === "bigint") return wrapInt64(-value);
  if (typeof value === "number") return -value;
  if (value instanceof GoInt && !value.type.defined) return wrapKind(-value.value, value);
  return fail(`invalid operation: - ${typeName(value)}`);
}

/** Wraps the value to the width of an integer type. */
function wrapKind(value: bigint, like: GoInt): GoInt {
  const bits = Number(/^[a-z]+([0-9]+)$/.exec(like.type.kind)?.[1] ?? 64);
  const wrapped = like.type.kind.startsWith("u") ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return new GoInt(wrapped, like.type);
}

/** Compares two values for `<` and similar operators; NaN is unordered. `operator` is for the message. */
export function compare(a: Value, b: Value, operator: string): number {
  if (typeof a === "string" && typeof b === "string") {
    chargeForTexts(a, b);
    return compareText(a, b);
  }
  if (a instanceof GoTime && b instanceof GoTime) return a.compare(b);
  if (a instanceof GoDuration && b instanceof GoDuration) return compareNumbers(a.nanoseconds, b.nanoseconds);
  const [x, y] = [numeric(a), numeric(b)];
  if (x === undefined || y === undefined) mismatch(operator, a, b);
  return typeof x === typeof y ? compareNumbers(x, y) : compareNumbers(Number(x), Number(y));
}

/** Nanoseconds to compare two lists or two maps, in addition to their elements. */
const PAIR_COST = 40;
/** Comparing texts up to this length is free. */
const FREE_LENGTH = 50;

/** Charges for comparing two texts: long ones may have to be concatenated first. */
function chargeForTexts(a: string, b: string): void {
  if (a.length > FREE_LENGTH || b.length > FREE_LENGTH) chargeRun((a.length + b.length) * 2);
}

function compareNumbers(x: bigint | number, y: bigint | number): number {
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : NaN;
}

/** Evaluates `a == b` of two values that the checker knows to be texts. Fails for nil from a branch or search. */
export function equalTexts(a: Value, b: Value): boolean {
  const [left, right] = [toStringOperand(a), toStringOperand(b)];
  chargeForTexts(left, right);
  return left === right;
}

/** Same as `equalTexts`, for two integers. */
export function equalIntegers(a: Value, b: Value): boolean {
  for (const value of [a, b]) {
    if (typeof value === "bigint") continue;
    fail(`interface conversion: interface {} is ${typeName(value).replace("<nil>", "nil")}, not int`);
  }
  return a === b;
}

/**
 * Evaluates `a == b`: numbers by value, lists by element, maps strictly, times by instant. Different types are unequal.
 */
export function equal(a: Value, b: Value): boolean {
  if (typeof a === typeof b && (a === null || typeof a !== "object")) {
    if (typeof a === "string") chargeForTexts(a, b as string);
    return a === b || (a === null && isNil(b));
  }
  chargeRun(PAIR_COST);
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) {
    return typeof x === typeof y ? x === y : Number(x) === Number(y);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    const [left, right] = [comparableItems(a), comparableItems(b)];
    if (left !== undefined && right !== undefined) {
      return left.length === right.length && allEqual(left, right, equal);
    }
  }
  if (a instanceof GoTime && b instanceof GoTime) return a.compare(b) === 0;
  if (isNil(a) && isNil(b)) return true;
  return deepEqual(a, b);
}

/**
 * Returns the elements of slices that Go compares with `[]interface{}` element by element: slices of strings and
 * numbers.
 */
function comparableItems(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value) || value instanceof Uint8Array) return listItems(value);
  if (value instanceof GoList && value.type.kind === "slice" && value.type.elem !== undefined) {
    const { kind } = value.type.elem;
    return kind === "slice" || kind === "array" || kind === "map" ? undefined : value.items;
  }
  return undefined;
}

/** Compares like `reflect.DeepEqual`: same type and same content; 1 and 1.0 differ. */
export function deepEqual(a: Value, b: Value): boolean {
  if (typeof a === "string" && typeof b === "string") chargeForTexts(a, b);
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  chargeRun(PAIR_COST);
  if (typeOf(a).text !== typeOf(b).text) return false;
  if (a instanceof GoInt) return b instanceof GoInt && a.value === b.value;
  if (a instanceof GoDuration) return b instanceof GoDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof GoTime) return b instanceof GoTime && a.compare(b) === 0 && a.zone.name === b.zone.name;
  if (a instanceof GoZone) return b instanceof GoZone && a.name === b.name;
  if (a instanceof GoObject) return b instanceof GoObject && a.text === b.text;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((x, i) => x === b[i]);
  if (Array.isArray(a)) return Array.isArray(b) ? haveSameItems(a, b) : false;
  if (a instanceof GoList) return b instanceof GoList && a.isNil === b.isNil && haveSameItems(a.items, b.items);
  if (a instanceof GoMap) {
    if (!(b instanceof GoMap) || a.size !== b.size) return false;
    chargeRun(a.size * PAIR_COST);
    return [...a.entries()].every(([key, value]) => b.has(key) && deepEqual(value, b.get(key)!));
  }
  if (!isPlainMap(a) || !isPlainMap(b)) return false;
  const keys = Object.keys(a);
  chargeRun(keys.length * PAIR_COST);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key] ?? null, b[key] ?? null));
}

function haveSameItems(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && allEqual(a, b, deepEqual);
}

/** Nanoseconds to compare two list elements. */
const ELEMENT_COMPARE_COST = 15;

/** Whether two lists of the same length are equal. Charges for each comparison. */
function allEqual(a: readonly Value[], b: readonly Value[], same: (a: Value, b: Value) => boolean): boolean {
  const end = a.findIndex((item, i) => !same(item, b[i] ?? null));
  chargeRun((end < 0 ? a.length : end) * ELEMENT_COMPARE_COST);
  return end < 0;
}

/** Returns the number of elements in `from..to`. */
export function rangeSize(from: bigint, to: bigint): number {
  const size = wrapInt64(to - from + 1n);
  return size <= 0n ? 0 : Number(size);
}

/** Returns `from..to` as `[]int`. */
export function range(from: bigint, to: bigint): GoList {
  const items = Array.from({ length: rangeSize(from, to) }, (_, i) => from + BigInt(i));
  return new GoList(INT_SLICE, items);
}
