/** The methods of durations, zones and other Go values, and their lookup. */
import {
  DURATION,
  FLOAT,
  formatDuration,
  GoDuration,
  GoFunction,
  GoInt,
  GoObject,
  GoTime,
  type GoType,
  GoZone,
  HOUR,
  INT64,
  inUnit,
  LOCATION,
  MAX_INT64,
  MICROSECOND,
  MILLISECOND,
  MIN_INT64,
  MINUTE,
  MONTH,
  SECOND,
  STRING,
  TIME,
  type Value,
  WEEKDAY,
  wrapInt64,
} from "@tiphys/base/go";
import { type Method, method } from "./method.ts";
import { TIME_METHODS } from "./time_methods.ts";

const int64 = (value: bigint) => new GoInt(wrapInt64(value), INT64);
const nanoseconds = (value: Value) => (value as GoDuration).nanoseconds;

const DURATION_METHODS: Readonly<Record<string, Method<GoDuration>>> = {
  Abs: method([], DURATION, (d) => new GoDuration(absolute(d.nanoseconds))),
  Hours: method([], FLOAT, (d) => inUnit(d.nanoseconds, HOUR)),
  Microseconds: method([], INT64, (d) => int64(d.nanoseconds / MICROSECOND)),
  Milliseconds: method([], INT64, (d) => int64(d.nanoseconds / MILLISECOND)),
  Minutes: method([], FLOAT, (d) => inUnit(d.nanoseconds, MINUTE)),
  Nanoseconds: method([], INT64, (d) => int64(d.nanoseconds)),
  Round: method([DURATION], DURATION, (d, unit) => new GoDuration(roundDuration(d.nanoseconds, nanoseconds(unit)))),
  Seconds: method([], FLOAT, (d) => inUnit(d.nanoseconds, SECOND)),
  String: method([], STRING, (d) => formatDuration(d.nanoseconds)),
  Truncate: method([DURATION], DURATION, (d, unit) => {
    const size = nanoseconds(unit);
    return size <= 0n ? d : new GoDuration(d.nanoseconds - (d.nanoseconds % size));
  }),
};

function absolute(value: bigint): bigint {
  return value >= 0n ? value : -value > MAX_INT64 ? MAX_INT64 : -value;
}

/** Rounds like `Duration.Round`: to the nearest multiple, halves away from zero, limited to an int64. */
export function roundDuration(value: bigint, unit: bigint): bigint {
  if (unit <= 0n) return value;
  const rest = value % unit;
  const size = rest < 0n ? -rest : rest;
  if (size * 2n < unit) return value - rest;
  const rounded = value < 0n ? value - (unit - size) : value + (unit - size);
  return rounded > MAX_INT64 ? MAX_INT64 : rounded < MIN_INT64 ? MIN_INT64 : rounded;
}

const LABEL_METHODS: Readonly<Record<string, Method<GoInt>>> = {
  String: method([], STRING, (value) => value.label!),
};

const ZONE_METHODS: Readonly<Record<string, Method<GoZone>>> = {
  String: method([], STRING, (zone) => zone.name),
};

/** Methods by type name. */
const METHODS: Readonly<Record<string, Readonly<Record<string, Method<never>>>>> = {
  [TIME.text]: TIME_METHODS,
  [DURATION.text]: DURATION_METHODS,
  [MONTH.text]: LABEL_METHODS,
  [WEEKDAY.text]: LABEL_METHODS,
  [LOCATION.text]: ZONE_METHODS,
};

function methodsOf(type: GoType): Readonly<Record<string, Method<never>>> | undefined {
  return type.defined ? METHODS[type.text] : undefined;
}

/** Returns a method of a type as a function type; undefined if the type has no such method. */
export function methodType(type: GoType, name: string): GoType | undefined {
  const methods = methodsOf(type);
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name]?.type : undefined;
}

/** The names of a type's methods, for hints. */
export function methodNames(type: GoType): readonly string[] {
  return Object.keys(methodsOf(type) ?? {});
}

/** Returns a method of a value, bound to it; undefined if the value has no such method. */
export function boundMethod(value: Value, name: string): GoFunction | undefined {
  if (value instanceof GoObject) return value.methods.get(name);
  let type: GoType | undefined;
  if (value instanceof GoTime) type = TIME;
  else if (value instanceof GoDuration) type = DURATION;
  else if (value instanceof GoZone) type = LOCATION;
  else if (value instanceof GoInt && value.label !== undefined) type = value.type;
  if (type === undefined) return undefined;
  const methods = methodsOf(type);
  if (methods === undefined || !Object.hasOwn(methods, name)) return undefined;
  // deno-lint-ignore tiphys/no-double-cast -- a table for each type, found by the type of the value
  const found = methods[name] as unknown as Method<Value>;
  return new GoFunction(found.type, (...args) => found.call(value, ...args));
}
