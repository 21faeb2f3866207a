/** Methods of Go types. */
import { funcOf, type GoType, type Value } from "@tiphys/base/go";

/** A method: its function type and its implementation. */
export interface Method<T> {
  readonly type: GoType;
  readonly call: (self: T, ...args: Value[]) => Value;
}

/** Declares a method. `more` are the types of further results, which expressions cannot access. */
export function method<T>(
  params: readonly GoType[],
  result: GoType,
  call: Method<T>["call"],
  options: { readonly fails?: boolean; readonly more?: readonly GoType[] } = {},
): Method<T> {
  return { type: funcOf(params, result, options), call };
}
