/** Builtins on strings. */
import {
  ANY_SLICE,
  BOOL,
  byteIndex,
  byteLength,
  funcOf,
  GoList,
  INT,
  replaceText,
  splitText,
  STRING,
  STRING_SLICE,
  toLower,
  toUpper,
  trimCharacters,
  trimSpace,
  typeName,
  type Value,
} from "@tiphys/base/go";
import { currentBudget, MEMORY_BUDGET } from "../budget.ts";
import { fail } from "../failure.ts";
import { toInt, toStringOperand } from "../operators.ts";
import type { BuiltinFunction } from "./builtin.ts";

const ONE_STRING = funcOf([STRING], STRING);
const TWO_STRINGS = funcOf([STRING, STRING], STRING);

function textArgument(args: readonly Value[], index: number, fallback?: string): string {
  const arg = args[index];
  return arg === undefined && fallback !== undefined ? fallback : toStringOperand(arg ?? null);
}

function checkArgumentCount(name: string, args: readonly Value[], min: number, max: number): void {
  if (args.length >= min && args.length <= max) return;
  fail(`invalid number of arguments for ${name} (expected ${min} or ${max}, got ${args.length})`);
}

/** Returns the maximum number of matches, a function's last argument; -1 (no maximum) if it is missing. */
function maxMatches(count: Value | undefined): number {
  return count === undefined ? -1 : Number(toInt(count));
}

function stringList(items: string[] | null): GoList {
  return new GoList(STRING_SLICE, items ?? [], items === null);
}

function split(args: readonly Value[], keepSeparator: boolean): GoList {
  checkArgumentCount(keepSeparator ? "splitAfter" : "split", args, 2, 3);
  return stringList(splitText(textArgument(args, 0), textArgument(args, 1), maxMatches(args[2]), keepSeparator));
}

function join(args: readonly Value[]): string {
  const glue = textArgument(args, 1, "");
  const [list = null] = args;
  const joined = (texts: readonly string[]) => {
    currentBudget().chargeCharacters(texts.reduce((sum, text) => sum + text.length + glue.length, 0));
    return texts.join(glue);
  };
  if (Array.isArray(list)) return joined(list.map(toStringOperand));
  if (list instanceof GoList && list.type.text === STRING_SLICE.text) return joined(list.items as readonly string[]);
  if (list instanceof GoList && list.type.text === ANY_SLICE.text) return "";
  return fail(`invalid argument for join (type ${typeName(list)})`);
}

function replace(args: readonly Value[]): string {
  checkArgumentCount("replace", args, 3, 4);
  const [subject, old, replacement] = [textArgument(args, 0), textArgument(args, 1), textArgument(args, 2)];
  const hits = old === "" ? subject.length + 1 : Math.floor(subject.length / old.length);
  currentBudget().chargeCharacters(subject.length + hits * replacement.length);
  return replaceText(subject, old, replacement, maxMatches(args[3]));
}

export const TEXT_BUILTINS: readonly BuiltinFunction[] = [
  {
    name: "trim",
    overloads: [ONE_STRING, TWO_STRINGS],
    run: (args) => {
      checkArgumentCount("trim", args, 1, 2);
      return args.length === 1
        ? trimSpace(textArgument(args, 0))
        : trimCharacters(textArgument(args, 0), textArgument(args, 1));
    },
  },
  {
    name: "trimPrefix",
    overloads: [TWO_STRINGS, ONE_STRING],
    run: (args) => {
      const prefix = textArgument(args, 1, " ");
      const subject = textArgument(args, 0);
      return subject.startsWith(prefix) ? subject.slice(prefix.length) : subject;
    },
  },
  {
    name: "trimSuffix",
    overloads: [TWO_STRINGS, ONE_STRING],
    run: (args) => {
      const suffix = textArgument(args, 1, " ");
      const subject = textArgument(args, 0);
      return suffix !== "" && subject.endsWith(suffix) ? subject.slice(0, -suffix.length) : subject;
    },
  },
  { name: "upper", overloads: [ONE_STRING], run: (args) => toUpper(textArgument(args, 0)) },
  { name: "lower", overloads: [ONE_STRING], run: (args) => toLower(textArgument(args, 0)) },
  {
    name: "split",
    overloads: [funcOf([STRING, STRING], STRING_SLICE), funcOf([STRING, STRING, INT], STRING_SLICE)],
    run: (args) => split(args, false),
  },
  {
    name: "splitAfter",
    overloads: [funcOf([STRING, STRING], STRING_SLICE), funcOf([STRING, STRING, INT], STRING_SLICE)],
    run: (args) => split(args, true),
  },
  {
    name: "replace",
    overloads: [funcOf([STRING, STRING, STRING, INT], STRING), funcOf([STRING, STRING, STRING], STRING)],
    run: replace,
  },
  {
    name: "repeat",
    overloads: [funcOf([STRING, INT], STRING)],
    run: (args, budget) => {
      const subject = textArgument(args, 0);
      const count = toInt(args[1] ?? null);
      if (count < 0n) fail(`invalid argument for repeat (expected positive integer, got ${count})`);
      if (count > 1_000_000n) fail("memory budget exceeded");
      if (byteLength(subject) * Number(count) >= MEMORY_BUDGET) fail("memory budget exceeded");
      budget.chargeCharacters(subject.length * Number(count));
      return subject.repeat(Number(count));
    },
  },
  {
    name: "join",
    overloads: [
      funcOf([STRING_SLICE, STRING], STRING),
      funcOf([ANY_SLICE, STRING], STRING),
      funcOf([ANY_SLICE], STRING),
      funcOf([STRING_SLICE], STRING),
    ],
    run: join,
  },
  {
    name: "indexOf",
    overloads: [funcOf([STRING, STRING], INT)],
    run: (args) => BigInt(byteIndex(textArgument(args, 0), textArgument(args, 0).indexOf(textArgument(args, 1)))),
  },
  {
    name: "lastIndexOf",
    overloads: [funcOf([STRING, STRING], INT)],
    run: (args) => BigInt(byteIndex(textArgument(args, 0), textArgument(args, 0).lastIndexOf(textArgument(args, 1)))),
  },
  {
    name: "hasPrefix",
    overloads: [funcOf([STRING, STRING], BOOL)],
    run: (args) => textArgument(args, 0).startsWith(textArgument(args, 1)),
  },
  {
    name: "hasSuffix",
    overloads: [funcOf([STRING, STRING], BOOL)],
    run: (args) => textArgument(args, 0).endsWith(textArgument(args, 1)),
  },
];
