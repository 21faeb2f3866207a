/** sprig's functions on times. The local time zone is UTC. */
import {
  DurationError,
  formatDuration,
  formatTime,
  GoInt,
  GoTime,
  GoZone,
  HOUR,
  MINUTE,
  nearestInteger,
  parseDuration,
  parseTime,
  SECOND,
  STRING,
  TIME,
  TimeParseError,
  type Value,
  wrapInt64,
  ZoneError,
} from "@tiphys/base/go";
import { asRunFailure } from "../failure.ts";
import { roundDuration } from "../methods.ts";
import { define, type Functions } from "./define.ts";

/** Returns a time from a time or Unix seconds; the current time for other values. */
function timeOf(value: Value): GoTime {
  if (value instanceof GoTime) return value;
  if (typeof value === "bigint") return new GoTime(Number(value));
  if (value instanceof GoInt && (value.type.kind === "int64" || value.type.kind === "int32")) {
    return new GoTime(Number(value.value));
  }
  return GoTime.now();
}

function inZone(layout: string, value: Value, name: string): string {
  let zone = GoZone.UTC;
  try {
    zone = GoZone.load(name);
  } catch (error) {
    if (!(error instanceof ZoneError)) throw error;
  }
  return formatTime(timeOf(value).in(zone), layout);
}

function durationOrUndefined(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

function timeOrZero(layout: string, text: string): GoTime {
  try {
    return parseTime(layout, text, GoZone.load("Local"));
  } catch (error) {
    if (error instanceof TimeParseError) return GoTime.ZERO;
    throw error;
  }
}

function seconds(value: Value): string {
  let count = 0n;
  if (typeof value === "string") count = nearestInteger(value);
  else if (value instanceof GoInt && value.type.text === "int64") count = value.value;
  return formatDuration(wrapInt64(count * SECOND));
}

const ROUNDING_UNITS: readonly (readonly [bigint, string])[] = [
  [365n * 24n * HOUR, "y"],
  [30n * 24n * HOUR, "mo"],
  [24n * HOUR, "d"],
  [HOUR, "h"],
  [MINUTE, "m"],
  [SECOND, "s"],
];

function roundToLargestUnit(value: Value): string {
  let nanoseconds = 0n;
  if (typeof value === "string") nanoseconds = durationOrUndefined(value) ?? 0n;
  else if (value instanceof GoInt && value.type.text === "int64") nanoseconds = value.value;
  else if (value instanceof GoTime) nanoseconds = GoTime.now().since(value);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = ROUNDING_UNITS.find(([length]) => size > length);
  return unit === undefined ? "0s" : `${size / unit[0]}${unit[1]}`;
}

const modify = define(
  "string time",
  TIME,
  (duration: string, time: GoTime) => time.add(durationOrUndefined(duration) ?? 0n),
);
const mustModify = define(
  "string time",
  TIME,
  (duration: string, time: GoTime) => time.add(asRunFailure(() => parseDuration(duration))),
  { fails: true },
);

const dateInZone = define("string any string", STRING, inZone);

export const DATES: Functions = {
  now: define("", TIME, () => GoTime.now()),
  date: define("string any", STRING, (layout: string, value: Value) => inZone(layout, value, "Local")),
  dateInZone,
  date_in_zone: dateInZone,
  htmlDate: define("any", STRING, (value: Value) => inZone("2006-01-02", value, "Local")),
  htmlDateInZone: define("any string", STRING, (value: Value, zone: string) => inZone("2006-01-02", value, zone)),
  dateModify: modify,
  date_modify: modify,
  mustDateModify: mustModify,
  must_date_modify: mustModify,
  toDate: define("string string", TIME, timeOrZero),
  mustToDate: define(
    "string string",
    TIME,
    (layout: string, text: string) => asRunFailure(() => parseTime(layout, text, GoZone.load("Local"))),
    { fails: true },
  ),
  ago: define(
    "any",
    STRING,
    (value: Value) => formatDuration(roundDuration(GoTime.now().since(timeOf(value)), SECOND)),
  ),
  duration: define("any", STRING, seconds),
  durationRound: define("any", STRING, roundToLargestUnit),
  unixEpoch: define("time", STRING, (time: GoTime) => String(time.seconds)),
};
