/** The methods of times. */
import {
  BOOL,
  BYTE_SLICE,
  DURATION,
  formatTime,
  GoDuration,
  GoInt,
  GoTime,
  GoZone,
  INT,
  INT64,
  LOCATION,
  marshalJson,
  MICROSECOND,
  MILLISECOND,
  MONTH,
  monthName,
  quote,
  SECOND,
  STRING,
  TIME,
  toBytes,
  type Value,
  WEEKDAY,
  weekdayName,
  wrapInt64,
} from "@tiphys/base/go";
import { asRunFailure } from "./failure.ts";
import { type Method, method } from "./method.ts";

/** The methods of `time.Time`. */
export const TIME_METHODS: Readonly<Record<string, Method<GoTime>>> = {
  Add: method([DURATION], TIME, (t, d) => t.add(nanoseconds(d))),
  AddDate: method([INT, INT, INT], TIME, (t, y, m, d) => t.addDate(Number(y), Number(m), Number(d))),
  AppendBinary: method([BYTE_SLICE], BYTE_SLICE, (t, to) => appendBytes(to, encodeBinary(t)), { fails: true }),
  AppendFormat: method(
    [BYTE_SLICE, STRING],
    BYTE_SLICE,
    (t, to, layout) => appendBytes(to, formatWithLayout(t, layout)),
  ),
  AppendText: method([BYTE_SLICE], BYTE_SLICE, (t, to) => appendBytes(to, toBytes(rfc3339(t))), { fails: true }),
  After: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) > 0),
  Before: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) < 0),
  Clock: method([], INT, (t) => toBigInt(t.civil().hour), { more: [INT, INT] }),
  Compare: method([TIME], INT, (t, u) => toBigInt(Math.sign(t.compare(u as GoTime)))),
  Date: method([], INT, (t) => toBigInt(t.civil().year), { more: [MONTH, INT] }),
  Day: method([], INT, (t) => toBigInt(t.civil().day)),
  Equal: method([TIME], BOOL, (t, u) => t.compare(u as GoTime) === 0),
  Format: method([STRING], STRING, (t, layout) => formatTime(t, layout as string)),
  GoString: method([], STRING, goString),
  GobEncode: method([], BYTE_SLICE, encodeBinary, { fails: true }),
  Hour: method([], INT, (t) => toBigInt(t.civil().hour)),
  ISOWeek: method([], INT, (t) => toBigInt(t.isoWeek().year), { more: [INT] }),
  In: method([LOCATION], TIME, (t, zone) => t.in(zone as GoZone)),
  IsDST: method([], BOOL, (t) => isSummerTime(t)),
  IsZero: method([], BOOL, (t) => t.isZero),
  Local: method([], TIME, (t) => t.in(GoZone.load("Local"))),
  Location: method([], LOCATION, (t) => t.zone),
  MarshalBinary: method([], BYTE_SLICE, encodeBinary, { fails: true }),
  MarshalJSON: method([], BYTE_SLICE, (t) => toBytes(`"${rfc3339(t)}"`), { fails: true }),
  MarshalText: method([], BYTE_SLICE, (t) => toBytes(rfc3339(t)), { fails: true }),
  Minute: method([], INT, (t) => toBigInt(t.civil().minute)),
  Month: method([], MONTH, (t) => new GoInt(toBigInt(t.civil().month), MONTH, monthName(t.civil().month))),
  Nanosecond: method([], INT, (t) => toBigInt(t.nanosecond)),
  Round: method([DURATION], TIME, (t, d) => t.round(nanoseconds(d))),
  Second: method([], INT, (t) => toBigInt(t.civil().second)),
  String: method([], STRING, (t) => formatTime(t, "2006-01-02 15:04:05.999999999 -0700 MST")),
  Sub: method([TIME], DURATION, (t, u) => new GoDuration(t.since(u as GoTime))),
  Truncate: method([DURATION], TIME, (t, d) => t.truncate(nanoseconds(d))),
  UTC: method([], TIME, (t) => t.in(GoZone.UTC)),
  Unix: method([], INT64, (t) => int64(toBigInt(t.seconds))),
  UnixMicro: method([], INT64, (t) => int64(floorDivide(unix(t), MICROSECOND))),
  UnixMilli: method([], INT64, (t) => int64(floorDivide(unix(t), MILLISECOND))),
  UnixNano: method([], INT64, (t) => int64(t.unixNanoseconds())),
  Weekday: method([], WEEKDAY, (t) => new GoInt(toBigInt(t.weekday), WEEKDAY, weekdayName(t.weekday))),
  Year: method([], INT, (t) => toBigInt(t.civil().year)),
  YearDay: method([], INT, (t) => toBigInt(t.yearDay)),
  Zone: method([], STRING, (t) => t.offset.abbreviation, { more: [INT] }),
};

const toBigInt = (value: number) => BigInt(value);
const int64 = (value: bigint) => new GoInt(wrapInt64(value), INT64);
const nanoseconds = (value: Value) => (value as GoDuration).nanoseconds;

function formatWithLayout(time: GoTime, layout: Value): Uint8Array {
  return toBytes(formatTime(time, layout as string));
}

function rfc3339(time: GoTime): string {
  return asRunFailure(() => String(JSON.parse(marshalJson(time))));
}

function appendBytes(to: Value, more: Uint8Array): Uint8Array {
  return Uint8Array.from([...(to instanceof Uint8Array ? to : []), ...more]);
}

/** Formats the time as Go code that makes it. */
function goString(time: GoTime): string {
  const { year, month, day, hour, minute, second, nanosecond } = time.civil();
  const zone = time.zone.isUTC ? "UTC" : time.zone.isLocal ? "Local" : `Location(${quote(time.zone.name)})`;
  const fields = [year, `time.${monthName(month)}`, day, hour, minute, second, nanosecond, `time.${zone}`];
  return `time.Date(${fields.join(", ")})`;
}

/** Encodes the time like Go: a version, the seconds since Go's zero time, the nanoseconds, and the zone's offset. */
function encodeBinary(time: GoTime): Uint8Array {
  const offset = time.zone.isUTC ? -60 : time.offset.seconds;
  const hasSeconds = offset % 60 !== 0;
  const view = new DataView(new ArrayBuffer(hasSeconds ? 16 : 15));
  view.setUint8(0, hasSeconds ? 2 : 1);
  view.setBigInt64(1, BigInt(time.seconds - GoTime.ZERO.seconds));
  view.setUint32(9, time.nanosecond);
  view.setInt16(13, Math.trunc(offset / 60));
  if (hasSeconds) view.setInt8(15, offset % 60);
  return new Uint8Array(view.buffer);
}

function unix(time: GoTime): bigint {
  return toBigInt(time.seconds) * SECOND + toBigInt(time.nanosecond);
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
