/** Builtins on times, durations and zones. */
import {
  DURATION,
  funcOf,
  GoDuration,
  GoTime,
  GoZone,
  LOCATION,
  parseDuration,
  parseTime,
  RFC1123,
  RFC3339,
  RFC822,
  RFC850,
  STRING,
  TIME,
  TimeParseError,
  type Value,
} from "@tiphys/base/go";
import { asRunFailure, fail } from "../failure.ts";
import { toStringOperand } from "../operators.ts";
import { type BuiltinFunction, maybeAny } from "./builtin.ts";

const LAYOUTS = ["2006-01-02", "15:04:05", "2006-01-02 15:04:05", RFC3339, RFC822, RFC850, RFC1123];

function date(all: readonly Value[]): GoTime {
  const zone = all[0] instanceof GoZone ? all[0] : undefined;
  const [written = null, givenLayout, givenPlace] = zone === undefined ? all : all.slice(1);
  const text = toStringOperand(written);
  if (givenLayout !== undefined) {
    const layout = toStringOperand(givenLayout);
    const place = givenPlace === undefined ? undefined : toStringOperand(givenPlace);
    return asRunFailure(() => parseTime(layout, text, place === undefined ? zone : GoZone.load(place)));
  }
  for (const layout of LAYOUTS) {
    try {
      return parseTime(layout, text, zone);
    } catch (error) {
      if (!(error instanceof TimeParseError)) throw error;
    }
  }
  return fail(`invalid date ${text}`);
}

export const TIME_BUILTINS: readonly BuiltinFunction[] = [
  {
    name: "now",
    validate: (args) => {
      const [zone] = args;
      if (zone === undefined) return TIME;
      if (args.length === 1 && (zone.text === LOCATION.text || maybeAny(zone))) return TIME;
      return fail(`invalid number of arguments (expected 0, got ${args.length})`);
    },
    run: (args) => {
      if (args.length === 0) return GoTime.now();
      if (args.length === 1 && args[0] instanceof GoZone) return GoTime.now().in(args[0]);
      return fail(`invalid number of arguments (expected 0, got ${args.length})`);
    },
  },
  {
    name: "duration",
    overloads: [funcOf([STRING], DURATION, { fails: true })],
    run: ([text = null]) => {
      const source = toStringOperand(text);
      return asRunFailure(() => new GoDuration(parseDuration(source)));
    },
  },
  {
    name: "date",
    validate: (args) => {
      const [first] = args;
      if (first === undefined) return fail(`invalid number of arguments (expected at least 1, got ${args.length})`);
      const rest = first.text === LOCATION.text ? args.slice(1) : args;
      if (rest.length > 3) fail(`invalid number of arguments (expected at most 3, got ${rest.length})`);
      return TIME;
    },
    run: date,
  },
  {
    name: "timezone",
    overloads: [funcOf([STRING], LOCATION, { fails: true })],
    run: ([name = null]) => {
      const place = toStringOperand(name);
      return asRunFailure(() => GoZone.load(place));
    },
  },
];
