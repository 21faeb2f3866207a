/** Arguments that refer to the output of a producer that was skipped: they count as not given. */
import { trimSpace } from "../go/text.ts";
import { derive, isValue } from "./plan.ts";
import type { Values } from "./scope.ts";

/** Stands for "not given" while an argument travels through substitution as text; the name that it referred to follows. */
export const ABSENT_ARGUMENT = "__argo-internal.absent-optional-output__";

/** The fields of arguments that are read here. */
export interface ArgumentsFields {
  readonly parameters?: readonly { readonly name: string; readonly value?: string }[];
}

/**
 * The value of an argument, or `ABSENT_ARGUMENT` when it is exactly one simple tag whose name is there without a value.
 * Anything composite stays, and fails when its tag is filled in.
 */
export function absentArgument(value: string, values: Values): string {
  if (!value.startsWith("{{") || !value.endsWith("}}")) return value;
  return values.get(trimSpace(value.slice(2, -2))) === null ? ABSENT_ARGUMENT : value;
}

/** Marks the parameters of arguments that are absent; the very same arguments when none is. */
export function markAbsentArguments<A extends ArgumentsFields>(args: A, values: Values): A;
export function markAbsentArguments<A extends ArgumentsFields>(args: A | undefined, values: Values): A | undefined;
export function markAbsentArguments<A extends ArgumentsFields>(args: A | undefined, values: Values): A | undefined {
  const marked = args?.parameters?.map((parameter) => {
    if (parameter.value === undefined || isValue(parameter, "value")) return parameter;
    const value = absentArgument(parameter.value, values);
    if (value === parameter.value) return parameter;
    return derive({ ...parameter, value: `${value}${trimSpace(parameter.value.slice(2, -2))}` }, parameter);
  });
  if (!marked || marked.every((parameter, index) => parameter === args!.parameters![index])) return args;
  return derive({ ...args!, parameters: derive(marked, []) }, args!);
}
