/** What one run may use: elements and characters made, turns of predicates, and what functions go through. */
import type { Value } from "../../go/mod.ts";
import { fail } from "./failure.ts";

/** Elements and characters one run may make. */
export const MEMORY_BUDGET = 1_000_000;
/** Predicate turns one run may take; nested loops over ranges reach it within a second or so. */
export const TURN_BUDGET = 10_000_000;

/** Elements and characters that functions and operators may go through in one run. */
export const WORK_BUDGET = 100_000_000;
/** Characters one text may have: far more than any object of a cluster can hold. */
export const LONGEST_TEXT = 10_000_000;

/** Counts what a run uses and ends it when that is too much. */
export class Budget {
  private memory = 0;
  private turns = 0;
  private work = 0;

  /** Charges for elements or characters. */
  take(size: number): void {
    this.memory += size;
    if (this.memory >= MEMORY_BUDGET) fail("memory budget exceeded");
  }

  /** Charges for one turn of a predicate, or for something that takes as long as several. */
  turn(turns = 1): void {
    this.turns += turns;
    if (this.turns > TURN_BUDGET) fail("loop budget exceeded");
  }

  /** Charges for what a function or operator goes through: the length of its operands, and a little for itself. */
  call(operands: readonly Value[]): void {
    this.work++;
    for (const one of operands) if (typeof one === "string" || Array.isArray(one)) this.work += one.length;
    if (this.work > WORK_BUDGET) fail("loop budget exceeded");
  }

  /** Ends the run when a list that grows has become too long, without charging for it. */
  check(length: number): void {
    if (length >= MEMORY_BUDGET) fail("memory budget exceeded");
  }
}
