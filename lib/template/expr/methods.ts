/** The methods of times, durations, zones and other values with Go methods. */
import {
  BOOL,
  BYTE_SLICE,
  DURATION,
  FLOAT,
  formatDuration,
  formatTime,
  funcOf,
  GoDuration,
  GoFunction,
  GoInt,
  GoObject,
  GoTime,
  type GoType,
  GoZone,
  HOUR,
  INT,
  INT64,
  inUnit,
  LOCATION,
  marshalJson,
  MAX_INT64,
  MICROSECOND,
  MILLISECOND,
  MINUTE,
  MONTH,
  MONTHS,
  SECOND,
  STRING,
  TIME,
  toBytes,
  type Value,
  WEEKDAY,
  WEEKDAYS,
  wrapInt64,
} from "../../go/mod.ts";

interface Method<T> {
  readonly type: GoType;
  readonly call: (self: T, ...args: Value[]) => Value;
}

function method<T>(params: readonly GoType[], result: GoType, call: Method<T>["call"], fails = false): Method<T> {
  return { type: funcOf(params, result, { fails }), call };
}

const int64 = (value: bigint) => new GoInt(wrapInt64(value), INT64);
const whole = (value: number) => BigInt(value);
const nanoseconds = (value: Value) => (value as GoDuration).nanoseconds;
const bytes = (text: string) => toBytes(text);

const TIME_METHODS: Readonly<Record<string, Method<GoTime>>> = {
  Add: method([DURATION], TIME, (t, d) => t.add(nanoseconds(d))),
  AddDate: method([INT, INT, INT], TIME, (t, y, m, d) => t.addDate(Number(y), Number(m), Number(d))),
  After: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) > 0),
  Before: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) < 0),
  Compare: method([TIME], INT, (t, u) => whole(Math.sign(t.compare(u as GoTime)))),
  Day: method([], INT, (t) => whole(t.civil().day)),
  Equal: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) === 0),
  Format: method([STRING], STRING, (t, layout) => formatTime(t, layout as string)),
  Hour: method([], INT, (t) => whole(t.civil().hour)),
  ISOWeek: method([], INT, (t) => whole(t.isoWeek().year)),
  In: method([LOCATION], TIME, (t, zone) => t.in(zone as GoZone)),
  IsDST: method([], BOOL, (t) => isSummerTime(t)),
  IsZero: method([], BOOL, (t) => t.isZero),
  Local: method([], TIME, (t) => t.in(GoZone.load("Local"))),
  Location: method([], LOCATION, (t) => t.zone),
  MarshalJSON: method([], BYTE_SLICE, (t) => bytes(marshalJson(t)), true),
  MarshalText: method([], BYTE_SLICE, (t) => bytes(JSON.parse(marshalJson(t))), true),
  Minute: method([], INT, (t) => whole(t.civil().minute)),
  Month: method([], MONTH, (t) => new GoInt(whole(t.civil().month), MONTH, MONTHS[t.civil().month - 1])),
  Nanosecond: method([], INT, (t) => whole(t.nanosecond)),
  Round: method([DURATION], TIME, (t, d) => t.round(nanoseconds(d))),
  Second: method([], INT, (t) => whole(t.civil().second)),
  String: method([], STRING, (t) => formatTime(t, "2006-01-02 15:04:05.999999999 -0700 MST")),
  Sub: method([TIME], DURATION, (t, u) => new GoDuration(t.since(u as GoTime))),
  Truncate: method([DURATION], TIME, (t, d) => t.truncate(nanoseconds(d))),
  UTC: method([], TIME, (t) => t.in(GoZone.UTC)),
  Unix: method([], INT64, (t) => int64(whole(t.seconds))),
  UnixMicro: method([], INT64, (t) => int64(floorDivide(unix(t), MICROSECOND))),
  UnixMilli: method([], INT64, (t) => int64(floorDivide(unix(t), MILLISECOND))),
  UnixNano: method([], INT64, (t) => int64(t.unixNanoseconds())),
  Weekday: method([], WEEKDAY, (t) => new GoInt(whole(t.weekday), WEEKDAY, WEEKDAYS[t.weekday])),
  Year: method([], INT, (t) => whole(t.civil().year)),
  YearDay: method([], INT, (t) => whole(t.yearDay)),
  Zone: method([], STRING, (t) => t.offset.abbreviation),
};

function unix(time: GoTime): bigint {
  return whole(time.seconds) * SECOND + whole(time.nanosecond);
}

function floorDivide(a: bigint, b: bigint): bigint {
  return (a - (((a % b) + b) % b)) / b;
}

function isSummerTime(time: GoTime): boolean {
  const { year } = time.civil();
  const winter = Math.min(
    ...[1, 7].map((month) =>
      GoTime.fromCivil({ year, month, day: 1, hour: 0, minute: 0, second: 0, nanosecond: 0 }, time.zone).offset.seconds
    ),
  );
  return time.offset.seconds > winter;
}

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

/** `Duration.Round`: to the nearest multiple, away from zero when halfway. */
export function roundDuration(value: bigint, unit: bigint): bigint {
  if (unit <= 0n) return value;
  const rest = value % unit;
  const size = rest < 0n ? -rest : rest;
  if (size * 2n < unit) return value - rest;
  return value < 0n ? value - (unit - size) : value + (unit - size);
}

const LABEL_METHODS: Readonly<Record<string, Method<GoInt>>> = {
  String: method([], STRING, (value) => value.label!),
};

const ZONE_METHODS: Readonly<Record<string, Method<GoZone>>> = {
  String: method([], STRING, (zone) => zone.name),
};

/** Methods by the name of the type that has them. */
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

/** The method of a type, as a function type, if it has one of that name. */
export function methodType(type: GoType, name: string): GoType | undefined {
  const methods = methodsOf(type);
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name].type : undefined;
}

/** The names of a type's methods, for hints. */
export function methodNames(type: GoType): readonly string[] {
  return Object.keys(methodsOf(type) ?? {});
}

/** The method of a value, bound to it, if it has one of that name. */
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
  const found = methods[name] as unknown as Method<Value>;
  return new GoFunction(found.type, (...args) => found.call(value, ...args));
}
