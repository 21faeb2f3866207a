/** The arguments of builtins with a predicate. The compiler runs them. */

/** One argument of such a builtin. */
export interface Parameter {
  readonly kind: "value" | "predicate";
  readonly optional?: boolean;
}

const LIST: Parameter = { kind: "value" };
const PREDICATE: Parameter = { kind: "predicate" };
const OPTIONAL_PREDICATE: Parameter = { kind: "predicate", optional: true };
const OPTIONAL_VALUE: Parameter = { kind: "value", optional: true };

/** Argument lists by function name. */
export const PREDICATES: ReadonlyMap<string, readonly Parameter[]> = new Map([
  ...["all", "none", "any", "one", "filter", "map", "find", "findIndex", "findLast", "findLastIndex", "groupBy"]
    .map((name): [string, Parameter[]] => [name, [LIST, PREDICATE]]),
  ["count", [LIST, OPTIONAL_PREDICATE]],
  ["sum", [LIST, OPTIONAL_PREDICATE]],
  ["sortBy", [LIST, PREDICATE, OPTIONAL_VALUE]],
  ["reduce", [LIST, PREDICATE, OPTIONAL_VALUE]],
]);
