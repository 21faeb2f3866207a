/** The frame: what a running expression carries with it. */
import type { Value } from "../../go/mod.ts";
import type { Budget } from "./budget.ts";

/** The place of a predicate in its list: the element at hand, its index, and the accumulator of `reduce`. */
export interface PredicatePlace {
  element: Value;
  index: number;
  accumulator: Value;
}

/** One run: the environment, the `let` variables, the innermost predicate, and the place being worked at. */
export interface Frame {
  readonly env: Readonly<Record<string, Value>>;
  readonly variables: Value[];
  readonly budget: Budget;
  scope: PredicatePlace | undefined;
  at: number;
}

/** A compiled node. */
export type Compiled = (frame: Frame) => Value;
