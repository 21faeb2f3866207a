/** The type of a builtin function, and shared checks of arguments. */
import type { GoType, Value } from "@tiphys/base/go";
import type { Budget } from "../budget.ts";
import { fail } from "../failure.ts";

/** A function every expression can call. */
export interface BuiltinFunction {
  readonly name: string;
  /** Function types that are tried in order against the arguments, unless `validate` is set. */
  readonly overloads?: readonly GoType[];
  /** Returns the result type for arguments of these types. Fails with the reason if they do not fit. */
  readonly validate?: (args: readonly GoType[]) => GoType;
  readonly run: (args: readonly Value[], budget: Budget) => Value;
}

/**
 * Builtins that Go applies to the most recently computed value instead of their argument. This is visible only in calls
 * that are not checked: in the arguments of a function that is unknown at compile time.
 */
export const APPLIED_TO_LAST_VALUE: ReadonlySet<string> = new Set(
  ["len", "type", "abs", "ceil", "floor", "round", "int", "float", "string", "upper", "lower"],
);

/** Builtins that accept any number of arguments in calls that are not checked. */
export const ACCEPT_ANY_COUNT: ReadonlySet<string> = new Set(["first", "last", "max", "min", "mean", "median"]);

const NUMBER_KINDS: ReadonlySet<string> = new Set(["int", "int32", "int64", "uint8", "uint32", "uint64", "float64"]);

/** Whether the type is a number or unknown at compile time. */
export function maybeNumber(type: GoType): boolean {
  return NUMBER_KINDS.has(type.kind) || maybeAny(type);
}

/** Whether the type is unknown at compile time. */
export function maybeAny(type: GoType): boolean {
  return type.kind === "unknown" || type.kind === "interface";
}

/** Whether the type is a list or unknown at compile time. */
export function maybeList(type: GoType): boolean {
  return type.kind === "slice" || type.kind === "array" || maybeAny(type);
}

/** Formats a type for a message. Nil has no type and is printed as Go's formatting prints it. */
export function typeInMessage(type: GoType): string {
  return type.kind === "nil" ? "%!s(<nil>)" : type.text;
}

/** Returns the only argument; fails unless there is exactly one. */
export function onlyArgument(args: readonly GoType[]): GoType {
  const [arg] = args;
  if (arg !== undefined && args.length === 1) return arg;
  return fail(`invalid number of arguments (expected 1, got ${args.length})`);
}
