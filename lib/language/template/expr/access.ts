/** Access to parts of values: members, elements, slices, `in`. */
import {
  ANY,
  assignable,
  byte,
  byteAt,
  byteLength,
  formatValue,
  GoFunction,
  GoList,
  GoMap,
  GoObject,
  GoTime,
  GoZone,
  isPlainMap,
  listItems,
  mapEntries,
  sliceBytes,
  STRING,
  typeName,
  typeOf,
  type Value,
  zeroValue,
} from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";
import { chargeRun, currentBudget } from "./budget.ts";
import { fail } from "./failure.ts";
import { boundMethod } from "./methods.ts";
import { equal, toInt } from "./operators.ts";

/**
 * Evaluates `base[key]` and `base.key`. A missing map key is the element type's zero value; other missing keys fail.
 */
export function fetch(base: Value, key: Value): Value {
  if (isPlainMap(base)) {
    if (typeof key === "string") return Object.hasOwn(base, key) ? base[key] ?? null : null;
    return mapEntry(base, key) ?? null;
  }
  if (base === null) fail(`cannot fetch ${formatValue(key)} from <nil>`, hintForNil(key));
  if (typeof key === "string") {
    const member = boundMethod(base, key) ?? fieldOf(base, key);
    if (member !== undefined) return member;
  }
  chargeForBytes(base);
  if (typeof base === "string") return byte(byteAt(base, checkedIndex(key, byteLength(base))));
  const items = listItems(base);
  if (items !== undefined) return items[checkedIndex(key, items.length)] ?? null;
  if (base instanceof GoMap) return mapEntry(base, key) ?? zeroValue(base.type.elem!);
  if (isStruct(base) && typeof key !== "string") {
    fail(`interface conversion: interface {} is ${typeName(key)}, not string`);
  }
  return fail(`cannot fetch ${formatValue(key)} from ${typeName(base)}`);
}

/** Returns a hint for reading a member of a value that may be absent, such as the output of a skipped step. */
function hintForNil(key: Value): string {
  const member = typeof key === "string" && /^[A-Za-z_]\w*$/.test(key) ? key : "member";
  return `the value before it is absent: with ?.${member} the result is nil, and ?? gives another value`;
}

/** Evaluates `get(base, key)`: like `fetch`, but nil for a missing key. A key of the wrong type still fails. */
export function get(base: Value, key: Value): Value {
  if (base === null) return null;
  if (typeof key === "string") {
    const member = boundMethod(base, key) ?? fieldOf(base, key);
    if (member !== undefined) return member;
  }
  chargeForBytes(base);
  const items = listItems(base);
  const length = typeof base === "string" ? byteLength(base) : items?.length;
  if (length !== undefined) {
    const index = Number(toInt(key));
    const position = index < 0 ? length + index : index;
    if (position < 0 || position >= length) return null;
    return typeof base === "string" ? byte(byteAt(base, position)) : items?.[position] ?? null;
  }
  if (isPlainMap(base) || base instanceof GoMap) return mapEntry(base, key) ?? null;
  if (isStruct(base) && typeof key !== "string") {
    fail(`interface conversion: interface {} is ${typeName(key)}, not string`);
  }
  return null;
}

/** Charges for the bytes of a string or byte list, which are counted at each access. */
function chargeForBytes(value: Value): void {
  if (typeof value === "string" || value instanceof Uint8Array) chargeRun(value.length * 20);
}

function fieldOf(base: Value, name: string): Value | undefined {
  return base instanceof GoObject ? base.fields.get(name) : undefined;
}

function isStruct(value: Value): boolean {
  return value instanceof GoTime || value instanceof GoObject;
}

function checkedIndex(key: Value, length: number): number {
  const index = Number(toInt(key));
  const position = index < 0 ? length + index : index;
  if (position < 0 || position >= length) fail(`index out of range: ${position} (array length is ${length})`);
  return position;
}

/** Returns the entry of a map. A nil key is the key type's zero value; a key of another type fails. */
function mapEntry(map: Value, key: Value): Value | undefined {
  const keyType = map instanceof GoMap ? map.type.key! : STRING;
  const wanted = key === null ? zeroValue(keyType) : key;
  if (!assignable(typeOf(wanted), keyType)) {
    fail(`reflect.Value.MapIndex: value of type ${typeName(wanted)} is not assignable to type ${keyType.text}`);
  }
  if (map instanceof GoMap) {
    try {
      return map.get(wanted);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return fail(error.message);
    }
  }
  const plain = map as Readonly<Record<string, Value>>;
  return Object.hasOwn(plain, wanted as string) ? plain[wanted as string] ?? null : undefined;
}

/** Evaluates `needle in haystack`: a list by `==`, a map by key. Nil contains nothing. */
export function contains(needle: Value, haystack: Value): boolean {
  if (haystack === null) return false;
  if (isPlainMap(haystack) || haystack instanceof GoMap) return mapEntry(haystack, needle) !== undefined;
  const items = listItems(haystack);
  if (items !== undefined) {
    chargeRun(items.length * 20);
    return items.some((item) => equal(item, needle));
  }
  if (haystack instanceof GoTime || haystack instanceof GoZone) {
    // For a struct, Go looks for a field of that name. These structs have no exported fields.
    const struct = typeOf(haystack).text.replace("*", "");
    return typeof needle === "string" ? false : fail(`cannot use ${typeName(needle)} as field name of ${struct}`);
  }
  return fail(`operator "in" not defined on ${typeName(haystack)}`);
}

/**
 * Evaluates `needle in ["a", "b"]` for a list of string literals. Go looks it up in a set, which accepts only strings
 * and nil.
 */
export function containsText(needle: Value, texts: ReadonlySet<string>): boolean {
  if (needle === null) return texts.has("");
  if (typeof needle === "string") return texts.has(needle);
  return fail(`reflect.Value.MapIndex: value of type ${typeName(needle)} is not assignable to type string`);
}

/** Evaluates `base[from:to]`, clamped to the length. Strings are sliced by bytes. */
export function slice(base: Value, from: Value | undefined, to: Value | undefined): Value {
  chargeForBytes(base);
  const items = listItems(base);
  const length = typeof base === "string" ? byteLength(base) : items?.length;
  if (length === undefined) {
    const measured = to !== undefined || mapEntries(base) !== undefined;
    return fail(
      measured ? `cannot slice ${formatValue(from ?? 0n)}` : `invalid argument for len (type ${typeName(base)})`,
    );
  }
  const end = clamp(to === undefined ? length : Number(toInt(to)), length);
  const start = Math.min(clamp(from === undefined ? 0 : Number(toInt(from)), length), end);
  if (typeof base === "string") return sliceBytes(base, start, end);
  if (base instanceof Uint8Array) return base.subarray(start, end);
  currentBudget().chargeElements(end - start);
  const part = items!.slice(start, end);
  return base instanceof GoList ? new GoList(base.type, part, base.isNil) : part;
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index < 0 ? length + index : index, 0), length);
}

/** Calls a function value, with Go's checks of the number and types of arguments. */
export function callFunction(callee: Value, args: readonly Value[]): Value {
  if (callee === null) fail("invalid operation: cannot call nil");
  if (!(callee instanceof GoFunction)) {
    fail(`invalid operation: cannot call non-function of type ${typeName(callee)}`);
  }
  const { params, variadic } = callee.type.func!;
  const min = variadic ? params.length - 1 : params.length;
  if (variadic ? args.length < min : args.length !== min) {
    fail(`invalid number of arguments: expected ${variadic ? "at least " : ""}${min}, got ${args.length}`);
  }
  const last = params.at(-1) ?? ANY;
  const passed = args.map((arg, i) => {
    const type = params[i] ?? last;
    if (arg === null) return zeroValue(type);
    if (assignable(typeOf(arg), type)) return arg;
    if (i >= min && variadic) return fail(`reflect: cannot use ${typeName(arg)} as type ${type.text} in Call`);
    return fail(`reflect: Call using ${typeName(arg)} as type ${type.text}`);
  });
  return callee.call(...passed);
}
