/** sprig's functions on numbers. Most accept any value; one that is not a number counts as 0. */
import {
  FLOAT,
  formatValue,
  GoDuration,
  GoInt,
  GoList,
  INT,
  INT64,
  INT_SLICE,
  nearestInteger,
  parseFloat64,
  parseInteger,
  pow,
  STRING,
  truncateToInt64,
  type Value,
  wrapInt64,
} from "@tiphys/base/go";
import { chargeRun } from "../budget.ts";
import { fail } from "../failure.ts";
import { Decimal } from "./decimal.ts";
import { define, type Functions } from "./define.ts";

/**
 * Converts a value to int64: numbers are truncated, booleans are 1 and 0, texts are parsed with `0x` and octal prefixes
 * and without their decimals; other values are 0.
 */
export function castToInt(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return truncateToInt64(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (value instanceof GoInt) return wrapInt64(value.value);
  if (value instanceof GoDuration) return value.nanoseconds;
  if (typeof value !== "string") return 0n;
  const result = parseInteger(withoutDecimals(value));
  return result.ok ? result.value : 0n;
}

function withoutDecimals(text: string): string {
  const whole = /^([-+]?[0-9]*)\.[0-9]*$/.exec(text)?.[1];
  if (whole === undefined) return text;
  return /[0-9]/.test(whole) ? whole : whole + "0";
}

/** Converts a value to float64 with the same rules. */
export function castToFloat(value: Value): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return Number(castToInt(value));
  const result = parseFloat64(value);
  return result.ok ? result.value : 0;
}

const int64 = (value: bigint) => new GoInt(wrapInt64(value), INT64);

function integerOperation(combine: (a: bigint, b: bigint) => bigint) {
  return (first: Value, ...rest: Value[]) =>
    int64(rest.reduce<bigint>((total, value) => wrapInt64(combine(total, castToInt(value))), castToInt(first)));
}

function nonZero(divide: (a: bigint, b: bigint) => bigint) {
  return (a: Value, b: Value) => {
    const divisor = castToInt(b);
    if (divisor === 0n) fail("runtime error: integer divide by zero");
    return int64(divide(castToInt(a), divisor));
  };
}

function decimalOperation(combine: (a: Decimal, b: Decimal) => Decimal) {
  return (first: Value, ...rest: Value[]) =>
    rest.reduce<Decimal>((total, value) => combine(total, decimal(value)), decimal(first)).toNumber();
}

function decimal(value: Value): Decimal {
  const number = castToFloat(value);
  return Number.isFinite(number) ? Decimal.from(number) : fail(`Cannot create a Decimal from ${formatValue(number)}`);
}

const MAX_STEPS = 1_000_000;

function stepList(start: bigint, stop: bigint, step: bigint): bigint[] {
  const list: bigint[] = [];
  const descending = stop < start;
  if (descending ? step >= 0n : step <= 0n) return list;
  for (let i = start; descending ? i > stop : i < stop; i += step) {
    if (list.length >= MAX_STEPS) fail("memory budget exceeded");
    list.push(i);
    if (list.length % 1_000 === 0) chargeRun(1_000 * 100);
  }
  return list;
}

function sequence(...params: bigint[]): string {
  const spell = (start: bigint, end: bigint, step: bigint, last: bigint) => stepList(start, end + last, step).join(" ");
  const unit = (start: bigint, end: bigint) => (end < start ? -1n : 1n);
  const [first, second, third] = params;
  if (first === undefined || params.length > 3) return "";
  if (second === undefined) return spell(1n, first, unit(1n, first), unit(1n, first));
  if (third === undefined) return spell(first, second, unit(first, second), unit(first, second));
  return third < first && second > 0n ? "" : spell(first, third, second, unit(first, third));
}

function roundTo(value: Value, places: bigint, threshold = 0.5): number {
  const scale = pow(10, Number(places));
  const digit = scale * castToFloat(value);
  const fraction = digit - Math.trunc(digit);
  return (fraction >= threshold ? Math.ceil(digit) : Math.floor(digit)) / scale;
}

function fromOctal(value: Value): GoInt {
  const text = formatValue(value);
  if (!/^[-+]?[0-7]+$/.test(text)) return int64(0n);
  const size = BigInt("0o" + text.replace(/^[-+]/, ""));
  const signed = text.startsWith("-") ? -size : size;
  return int64(wrapInt64(signed) === signed ? signed : 0n);
}

/** In Go, the maximum or minimum of two floats is infinite if one of them is, even if the other is NaN. */
function orInfinity(extreme: (a: number, b: number) => number, infinity: number) {
  return (a: number, b: number) => (a === infinity || b === infinity ? infinity : extreme(a, b));
}

const GREATEST = define("any ...any", INT64, integerOperation((a, b) => (b > a ? b : a)));

export const NUMBERS: Functions = {
  atoi: define("string", INT, (text: string) => nearestInteger(text)),
  int: define("any", INT, castToInt),
  int64: define("any", INT64, (value: Value) => int64(castToInt(value))),
  float64: define("any", FLOAT, castToFloat),
  toDecimal: define("any", INT64, fromOctal),
  seq: define("...int", STRING, sequence),
  until: define("int", INT_SLICE, (end: bigint) => new GoList(INT_SLICE, stepList(0n, end, end < 0n ? -1n : 1n))),
  untilStep: define(
    "int int int",
    INT_SLICE,
    (start: bigint, end: bigint, step: bigint) => new GoList(INT_SLICE, stepList(start, end, step)),
  ),
  add: define("...any", INT64, (...values: Value[]) => integerOperation((a, b) => a + b)(0n, ...values)),
  add1: define("any", INT64, (value: Value) => int64(castToInt(value) + 1n)),
  sub: define("any any", INT64, integerOperation((a, b) => a - b)),
  div: define("any any", INT64, nonZero((a, b) => a / b)),
  mod: define("any any", INT64, nonZero((a, b) => a % b)),
  mul: define("any ...any", INT64, integerOperation((a, b) => a * b)),
  max: GREATEST,
  biggest: GREATEST,
  min: define("any ...any", INT64, integerOperation((a, b) => (b < a ? b : a))),
  addf: define("...any", FLOAT, (...values: Value[]) => decimalOperation((a, b) => a.add(b))(0, ...values)),
  add1f: define("any", FLOAT, (value: Value) => decimalOperation((a, b) => a.add(b))(value, 1n)),
  subf: define("any ...any", FLOAT, decimalOperation((a, b) => a.subtract(b))),
  mulf: define("any ...any", FLOAT, decimalOperation((a, b) => a.multiply(b))),
  divf: define("any ...any", FLOAT, decimalOperation((a, b) => a.divide(b) ?? fail("decimal division by 0"))),
  maxf: define(
    "any ...any",
    FLOAT,
    (first: Value, ...rest: Value[]) =>
      rest.map(castToFloat).reduce(orInfinity(Math.max, Infinity), castToFloat(first)),
  ),
  minf: define(
    "any ...any",
    FLOAT,
    (first: Value, ...rest: Value[]) =>
      rest.map(castToFloat).reduce(orInfinity(Math.min, -Infinity), castToFloat(first)),
  ),
  ceil: define("any", FLOAT, (value: Value) => Math.ceil(castToFloat(value))),
  floor: define("any", FLOAT, (value: Value) => Math.floor(castToFloat(value))),
  round: define("any int ...float", FLOAT, roundTo, { types: { float: FLOAT } }),
};
