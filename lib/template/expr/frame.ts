/** What a running expression carries with it. */
import type { Value } from "../../go/mod.ts";
import type { Budget } from "./budget.ts";

/** Where a predicate stands in its list. */
export interface Scope {
  element: Value;
  index: number;
  accumulator: Value;
}

/** One run: the environment, the `let` variables, the innermost predicate, and the place being worked at. */
export interface Frame {
  readonly env: Readonly<Record<string, Value>>;
  readonly variables: Value[];
  readonly budget: Budget;
  scope: Scope | undefined;
  at: number;
}

/** A compiled node. */
export type Run = (frame: Frame) => Value;
