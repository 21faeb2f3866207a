/** Builtins on numbers: conversions, rounding, bits, and aggregates of lists. */
import {
  ANY,
  atoi,
  FLOAT,
  formatValue,
  funcOf,
  GoDuration,
  GoInt,
  type GoType,
  INT,
  listItems,
  parseFloat64,
  STRING,
  truncateToInt64,
  typeName,
  type Value,
  wrapInt64,
} from "@tiphys/base/go";
import { fail } from "../failure.ts";
import { compare, negate, toFloat, toInt } from "../operators.ts";
import { type BuiltinFunction, maybeList, maybeNumber, onlyArgument, typeInMessage } from "./builtin.ts";

/** Evaluates `int(x)`: truncates numbers and parses strings of decimal digits. */
export function convertToInt(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return truncateToInt64(value);
  if (typeof value === "string") return atoi(value) ?? fail(`invalid operation: int(${value})`);
  if (value instanceof GoInt) return wrapInt64(value.value);
  if (value instanceof GoDuration) return value.nanoseconds;
  return fail(`invalid operation: int(${typeName(value)})`);
}

/** Evaluates `float(x)`: accepts numbers and strings that Go's ParseFloat accepts. */
export function convertToFloat(value: Value): number {
  if (typeof value !== "string") return toFloat(value);
  const result = parseFloat64(value);
  return result.ok ? result.value : fail(`invalid operation: float(${value})`);
}

function isNumber(value: Value): value is bigint | number | GoInt {
  return typeof value === "bigint" || typeof value === "number" || (value instanceof GoInt && !value.type.defined);
}

function isNumberOrDuration(value: Value): value is bigint | number | GoInt | GoDuration {
  return isNumber(value) || value instanceof GoInt || value instanceof GoDuration;
}

function roundingBuiltin(name: string, round: (value: number) => number): BuiltinFunction {
  return {
    name,
    validate: (args) => {
      const arg = onlyArgument(args);
      return maybeNumber(arg) ? FLOAT : fail(`invalid argument for ${name} (type ${typeInMessage(arg)})`);
    },
    run: ([value = null]) => {
      if (!isNumber(value)) fail(`invalid argument for ${name} (type ${typeName(value)})`);
      return typeof value === "number" ? round(value) : toFloat(value);
    },
  };
}

/** Rounds like Go's `math.Round`: halves away from zero. */
export function roundHalfAway(value: number): number {
  const cut = Math.trunc(value);
  return Math.abs(value - cut) >= 0.5 ? cut + Math.sign(value) : value < 0 && cut === 0 ? -0 : cut;
}

function validateAggregate(name: string): (args: readonly GoType[]) => GoType {
  return (args) => {
    const [first] = args;
    if (first === undefined) return fail(`not enough arguments to call ${name}`);
    for (const arg of args) {
      if (maybeList(arg)) return ANY;
      if (!maybeNumber(arg)) fail(`invalid argument for ${name} (type ${typeInMessage(arg)})`);
    }
    return first;
  };
}

/** Returns the largest or smallest number, including those in nested lists; nil if there are no numbers. */
function extreme(name: string, args: readonly Value[], better: (best: Value, next: Value) => boolean): Value {
  let best: Value = null;
  const offer = (value: Value) => {
    if (best === null || better(best, value)) best = value;
  };
  for (const arg of args) {
    if (isNumberOrDuration(arg)) {
      offer(arg);
      continue;
    }
    const items = listItems(arg);
    if (items === undefined) {
      if (args.length === 1) return arg;
      fail(`invalid argument for ${name} (type ${typeName(arg)})`);
    }
    for (const item of items) {
      const nested = listItems(item) === undefined ? item : extreme(name, [item], better);
      if (nested === null && listItems(item) !== undefined) continue;
      if (!isNumber(nested)) fail(`invalid argument for ${name} (type ${typeName(nested)})`);
      offer(nested);
    }
  }
  return best;
}

/** Returns all numbers in the arguments and in nested lists, as floats. */
function numbersIn(name: string, args: readonly Value[], out: number[] = []): number[] {
  for (const arg of args) {
    if (arg instanceof GoDuration) out.push(Number(arg.nanoseconds));
    else if (arg instanceof GoInt) out.push(Number(arg.value));
    else if (isNumber(arg)) out.push(toFloat(arg));
    else numbersIn(name, listItems(arg) ?? fail(`invalid argument for ${name} (type ${typeName(arg)})`), out);
  }
  return out;
}

function median(args: readonly Value[]): number {
  // Go sorts NaN before all numbers, JavaScript after them.
  const [ordered, unordered] = [[], []] as [number[], number[]];
  for (const number of numbersIn("median", args)) (Number.isNaN(number) ? unordered : ordered).push(number);
  const sorted = [...unordered, ...ordered.sort((a, b) => a - b)];
  const middle = Math.trunc(sorted.length / 2);
  const [above = 0, below = above] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}

function bitBuiltin(name: string, combine: (x: bigint, y: bigint) => bigint): BuiltinFunction {
  return {
    name,
    overloads: [funcOf([INT, INT], INT)],
    run: (args) => {
      const [x, y] = args;
      if (x === undefined || y === undefined || args.length !== 2) {
        return fail(`invalid number of arguments for ${name} (expected 2, got ${args.length})`);
      }
      return BigInt.asIntN(64, combine(bitOperand(name, x), bitOperand(name, y)));
    },
  };
}

function bitOperand(name: string, value: Value): bigint {
  if (!isNumber(value) || typeof value === "number") {
    fail(`cannot use ${typeName(value)} as argument (type int) to call ${name}`);
  }
  return toInt(value);
}

function shiftBuiltin(name: string, move: (x: bigint, by: bigint) => bigint): BuiltinFunction {
  return bitBuiltin(name, (x, y) => {
    if (y < 0n) fail(`invalid operation: negative shift count ${y} (type int)`);
    return move(x, y > 64n ? 64n : y);
  });
}

export const NUMBER_BUILTINS: readonly BuiltinFunction[] = [
  {
    name: "int",
    validate: (args) => {
      const arg = onlyArgument(args);
      const fits = maybeNumber(arg) || arg.kind === "string";
      return fits ? INT : fail(`invalid argument for int (type ${typeInMessage(arg)})`);
    },
    run: ([value = null]) => convertToInt(value),
  },
  {
    name: "float",
    validate: (args) => {
      const arg = onlyArgument(args);
      const fits = maybeNumber(arg) || arg.kind === "string";
      return fits ? FLOAT : fail(`invalid argument for float (type ${typeInMessage(arg)})`);
    },
    run: ([value = null]) => convertToFloat(value),
  },
  { name: "string", overloads: [funcOf([ANY], STRING)], run: ([value = null]) => formatValue(value) },
  {
    name: "abs",
    validate: (args) => {
      const arg = onlyArgument(args);
      return maybeNumber(arg) ? arg : fail(`invalid argument for abs (type ${typeInMessage(arg)})`);
    },
    run: ([value = null]) => {
      if (!isNumber(value)) fail(`invalid argument for abs (type ${typeName(value)})`);
      return toFloat(value) < 0 ? negate(value) : value;
    },
  },
  roundingBuiltin("ceil", Math.ceil),
  roundingBuiltin("floor", Math.floor),
  roundingBuiltin("round", roundHalfAway),
  {
    name: "max",
    validate: validateAggregate("max"),
    run: (args) => extreme("max", args, (best, next) => compare(best, next, "<") < 0),
  },
  {
    name: "min",
    validate: validateAggregate("min"),
    run: (args) => extreme("min", args, (best, next) => compare(best, next, ">") > 0),
  },
  {
    name: "mean",
    validate: validateAggregate("mean"),
    run: (args) => {
      const numbers = numbersIn("mean", args);
      return numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    },
  },
  { name: "median", validate: validateAggregate("median"), run: median },
  bitBuiltin("bitand", (x, y) => x & y),
  bitBuiltin("bitor", (x, y) => x | y),
  bitBuiltin("bitxor", (x, y) => x ^ y),
  bitBuiltin("bitnand", (x, y) => x & ~y),
  shiftBuiltin("bitshl", (x, by) => x << by),
  shiftBuiltin("bitshr", (x, by) => x >> by),
  shiftBuiltin("bitushr", (x, by) => BigInt.asUintN(64, x) >> by),
  {
    name: "bitnot",
    overloads: [funcOf([INT], INT)],
    run: (args) => {
      const [x] = args;
      if (x === undefined || args.length !== 1) {
        return fail(`invalid number of arguments for bitnot (expected 1, got ${args.length})`);
      }
      return ~bitOperand("bitnot", x);
    },
  },
];
