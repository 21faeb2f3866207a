/** The state of a running expression. */
import type { Value } from "@tiphys/base/go";
import type { Budget } from "./budget.ts";

/** The position of a predicate in its list: the current element, its index, and the accumulator of `reduce`. */
export interface PredicateScope {
  element: Value;
  index: number;
  accumulator: Value;
}

/** One run: the environment, the `let` variables, the innermost predicate, and the current position in the source. */
export interface Frame {
  readonly env: Readonly<Record<string, Value>>;
  readonly variables: Value[];
  readonly budget: Budget;
  scope: PredicateScope | undefined;
  at: number;
}

/** A compiled node. */
export type CompiledNode = (frame: Frame) => Value;
