/**
 * Go values in the template language.
 *
 *   | Go | here |
 *   | --- | --- |
 *   | nil, bool, string | null, boolean, string |
 *   | int | bigint |
 *   | float64 | number |
 *   | other integers | `GoInt` |
 *   | []interface{} | array |
 *   | other slices and arrays | `GoList` |
 *   | []byte | Uint8Array |
 *   | map[string]interface{} | plain object (own properties only) |
 *   | other maps | `GoMap` |
 *   | time.Time, time.Duration, *time.Location | `GoTime`, `GoDuration`, `GoZone` |
 *   | functions | `GoFunction` |
 *   | a struct of a library | `GoObject` |
 */
import { UserError } from "../user_error.ts";
import { formatDuration } from "./duration.ts";
import { GoTime } from "./time.ts";
import {
  ANY_MAP,
  ANY_SLICE,
  BOOL,
  BYTE_SLICE,
  DURATION,
  FLOAT,
  type GoType,
  INT,
  LOCATION,
  NIL,
  STRING,
  TIME,
} from "./type.ts";
import { GoZone } from "./zone.ts";

/** A value of an expression. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | ValueMap
  | Uint8Array
  | GoInt
  | GoList
  | GoMap
  | GoTime
  | GoDuration
  | GoZone
  | GoFunction
  | GoObject;

/** `map[string]interface{}`; only own properties count, so any key is safe. */
export interface ValueMap {
  readonly [key: string]: Value;
}

/** An integer that is not Go's plain `int`: int64, uint8, `time.Month`. */
export class GoInt {
  constructor(readonly value: bigint, readonly type: GoType, readonly label?: string) {}
}

/** A duration: int64 nanoseconds. */
export class GoDuration {
  constructor(readonly nanoseconds: bigint) {}

  toString(): string {
    return formatDuration(this.nanoseconds);
  }
}

/** A slice or array whose elements have one type, or a nil slice. */
export class GoList {
  constructor(readonly type: GoType, readonly items: readonly Value[], readonly isNil = false) {}
}

/** `[]interface{}(nil)`: prints as `[]`, is `null` in JSON. */
export const NIL_LIST: GoList = new GoList(ANY_SLICE, [], true);

/** A map other than `map[string]interface{}`. */
export class GoMap {
  private readonly byKey = new Map<unknown, readonly [Value, Value]>();

  constructor(readonly type: GoType, entries: Iterable<readonly [Value, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.byKey.size;
  }

  has(key: Value): boolean {
    return this.byKey.has(identity(key));
  }

  get(key: Value): Value | undefined {
    return this.byKey.get(identity(key))?.[1];
  }

  /** Adds an entry while the map is built; throws if the key is not hashable in Go. */
  set(key: Value, value: Value): void {
    this.byKey.set(identity(key), [key, value]);
  }

  entries(): IterableIterator<readonly [Value, Value]> {
    return this.byKey.values();
  }
}

/** Returns the identity of a key: equal for keys with the same type and value. NaN equals no key, not even itself. */
function identity(key: Value): unknown {
  if (Number.isNaN(key)) return Symbol("NaN");
  if (key === null || typeof key !== "object") return key === 0 ? 0 : key;
  if (key instanceof GoInt) return `${key.type.text} ${key.value}`;
  if (key instanceof GoDuration) return `time.Duration ${key.nanoseconds}`;
  if (key instanceof GoTime) return `time.Time ${key.seconds} ${key.nanosecond} ${key.zone.name}`;
  if (key instanceof GoZone || key instanceof GoObject) return key;
  throw new UserError(`runtime error: hash of unhashable type ${typeOf(key).text}`);
}

/** A function value with its Go signature; `call` receives as many arguments as the signature allows. */
export class GoFunction {
  constructor(readonly type: GoType, readonly call: (...args: Value[]) => Value) {}
}

/** A value of a library's type: its text, its methods by name and, for a struct, its exported fields in order. */
export class GoObject {
  constructor(
    readonly type: GoType,
    readonly text: string,
    readonly methods: ReadonlyMap<string, GoFunction>,
    readonly fields: ReadonlyMap<string, Value> = new Map(),
  ) {}
}

/** Whether the value is a `map[string]interface{}`. */
export function isPlainMap(value: Value): value is ValueMap {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Returns the value of an own key of a map. */
export function ownEntry(map: ValueMap, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] ?? null : undefined;
}

/** Returns the elements of a slice or array of any type; undefined for any other value. */
export function listItems(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof GoList) return value.items;
  if (value instanceof Uint8Array) return Array.from(value, byte);
  return undefined;
}

/** Returns the entries of a map of any type, in no particular order; undefined for any other value. */
export function mapEntries(value: Value): (readonly [Value, Value])[] | undefined {
  if (value instanceof GoMap) return [...value.entries()];
  return isPlainMap(value) ? Object.entries(value) : undefined;
}

/** One byte as Go's uint8. */
export function byte(value: number): GoInt {
  return new GoInt(BigInt(value), BYTE_SLICE.elem!);
}

/** `x == nil` in Go: true for nil and nil slices. */
export function isNil(value: Value | undefined): boolean {
  return value === null || value === undefined || (value instanceof GoList && value.isNil);
}

/** Returns the dynamic Go type of a value. */
export function typeOf(value: Value | undefined): GoType {
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return FLOAT;
    case "string":
      return STRING;
    case "undefined":
      return NIL;
  }
  if (value === null) return NIL;
  if (Array.isArray(value)) return ANY_SLICE;
  if (value instanceof GoDuration) return DURATION;
  if (value instanceof GoTime) return TIME;
  if (value instanceof GoZone) return LOCATION;
  if (value instanceof Uint8Array) return BYTE_SLICE;
  if (
    value instanceof GoInt || value instanceof GoList || value instanceof GoMap || value instanceof GoFunction ||
    value instanceof GoObject
  ) return value.type;
  return ANY_MAP;
}

/** `%T`: the name of the type, `<nil>` for nil. */
export function typeName(value: Value | undefined): string {
  return isNil(value) && !(value instanceof GoList) ? "<nil>" : typeOf(value).text;
}

/** Returns the zero value of a type, which a typed map returns for a missing key. */
export function zeroValue(type: GoType): Value {
  switch (type.kind) {
    case "bool":
      return false;
    case "int":
      return type.defined ? new GoInt(0n, type) : 0n;
    case "int32":
    case "int64":
    case "uint8":
    case "uint32":
    case "uint64":
      return type === DURATION ? new GoDuration(0n) : new GoInt(0n, type);
    case "float64":
      return 0;
    case "string":
      return "";
    case "slice":
      return new GoList(type, [], true);
    case "map":
      return type.text === ANY_MAP.text ? {} : new GoMap(type);
    case "struct":
      return type === TIME ? GoTime.ZERO : null;
    default:
      return null;
  }
}

/** Whether a value of type `from` is assignable to type `to`. */
export function assignable(from: GoType, to: GoType): boolean {
  return to.kind === "interface" || from.text === to.text;
}
