/** A builtin function, and the words its checks share. */
import type { GoType, Value } from "../../../go/mod.ts";
import type { Budget } from "../budget.ts";
import { fail } from "../failure.ts";

/** A function every expression can call. */
export interface BuiltinFunction {
  readonly name: string;
  /** Function types tried in order against the arguments; used unless `validate` is there. */
  readonly overloads?: readonly GoType[];
  /** The result's type for arguments of these types; fails with the reason where they do not fit. */
  readonly validate?: (args: readonly GoType[]) => GoType;
  readonly run: (args: readonly Value[], budget: Budget) => Value;
}

/**
 * Builtins that Go runs on whatever was computed last. It shows where nobody judges a call: among the arguments of a
 * function that is not known before running.
 */
export const ON_LAST: ReadonlySet<string> = new Set(
  ["len", "type", "abs", "ceil", "floor", "round", "int", "float", "string", "upper", "lower"],
);

/** Builtins that do not count their arguments where nobody judges the call. */
export const NOT_COUNTING: ReadonlySet<string> = new Set(["first", "last", "max", "min", "mean", "median"]);

const NUMBER_KINDS: ReadonlySet<string> = new Set(["int", "int32", "int64", "uint8", "uint32", "uint64", "float64"]);

/** Whether the type is a number, or not known before running. */
export function maybeNumber(type: GoType): boolean {
  return NUMBER_KINDS.has(type.kind) || maybeAny(type);
}

/** Whether the type is not known before running. */
export function maybeAny(type: GoType): boolean {
  return type.kind === "unknown" || type.kind === "interface";
}

/** Whether the type is a list, or not known before running. */
export function maybeList(type: GoType): boolean {
  return type.kind === "slice" || type.kind === "array" || maybeAny(type);
}

/** A type in a message; nil has none, which Go's formatting shows. */
export function typeInMessage(type: GoType): string {
  return type.kind === "nil" ? "%!s(<nil>)" : type.text;
}

/** The one argument that there is; fails where there are more, or none. */
export function onlyArgument(args: readonly GoType[]): GoType {
  const [arg] = args;
  if (arg !== undefined && args.length === 1) return arg;
  return fail(`invalid number of arguments (expected 1, got ${args.length})`);
}
