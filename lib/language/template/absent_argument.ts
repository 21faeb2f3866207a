/** Arguments that refer to an output of a skipped producer. They count as not given. */
import { trimSpace } from "@tiphys/base/go/text";
import { isValue, recordDerived } from "./plan.ts";
import type { Values } from "./scope.ts";

/** Marks an argument as not given while it passes through substitution as text; the referenced name is appended. */
export const ABSENT_ARGUMENT = "__argo-internal.absent-optional-output__";

/** The fields of arguments that this module reads. */
export interface ArgumentsFields {
  readonly parameters?: readonly { readonly name: string; readonly value?: string }[];
}

/**
 * Returns the value of an argument, or `ABSENT_ARGUMENT` when the value is exactly one simple tag whose name is null in
 * `values`. Composite values are returned unchanged and fail later, when their tags are filled in.
 */
export function absentArgument(value: string, values: Values): string {
  if (!value.startsWith("{{") || !value.endsWith("}}")) return value;
  return values.get(trimSpace(value.slice(2, -2))) === null ? ABSENT_ARGUMENT : value;
}

/** Marks the parameters of arguments that are absent. Returns the same object when no parameter is absent. */
export function markAbsentArguments<A extends ArgumentsFields>(args: A, values: Values): A;
export function markAbsentArguments<A extends ArgumentsFields>(args: A | undefined, values: Values): A | undefined;
export function markAbsentArguments<A extends ArgumentsFields>(args: A | undefined, values: Values): A | undefined {
  const marked = args?.parameters?.map((parameter) => {
    if (parameter.value === undefined || isValue(parameter, "value")) return parameter;
    const value = absentArgument(parameter.value, values);
    if (value === parameter.value) return parameter;
    return recordDerived({ ...parameter, value: `${value}${trimSpace(parameter.value.slice(2, -2))}` }, parameter);
  });
  if (!marked || marked.every((parameter, index) => parameter === args!.parameters![index])) return args;
  return recordDerived({ ...args!, parameters: recordDerived(marked, []) }, args!);
}
