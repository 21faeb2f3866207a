/** What one run may use: elements and characters made, and turns of predicates. */
import { fail } from "./failure.ts";

/** Elements and characters one run may make. */
export const MEMORY_BUDGET = 1_000_000;
/** Predicate turns one run may take; nested loops over ranges reach it within a second or so. */
export const TURN_BUDGET = 10_000_000;

/** Counts what a run uses and ends it when that is too much. */
export class Budget {
  private memory = 0;
  private turns = 0;

  /** Charges for elements or characters. */
  take(size: number): void {
    this.memory += size;
    if (this.memory >= MEMORY_BUDGET) fail("memory budget exceeded");
  }

  /** Charges for one turn of a predicate. */
  turn(): void {
    if (++this.turns > TURN_BUDGET) fail("loop budget exceeded");
  }
}
