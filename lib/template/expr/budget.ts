/**
 * The budget of one run: elements and characters made, turns of predicates, and work.
 *
 * Work is counted in nanoseconds of a machine like that of docs/template-language.md, by prices (`prices.ts`) and not by a
 * clock: the same expression over the same values always ends the same way. A clock may be put over it: `meter.ts`.
 */
import { BudgetFailure } from "./failure.ts";
import { checkMeter } from "./meter.ts";

/** Elements one run may make. */
export const MEMORY_BUDGET = 1_000_000;
/** Predicate turns one run may take; nested loops over ranges reach it within a second or so. */
export const TURN_BUDGET = 10_000_000;
/** Nanoseconds of work that one run may ask for, by the price list. */
export const WORK_BUDGET = 1_500_000_000;
/** Characters one text may have: far more than any object of a cluster can hold. */
export const LONGEST_TEXT = 10_000_000;

/** Nanoseconds for each character that a function makes. The work budget so bounds characters, too: 75 million. */
const NEW_CHARACTER = 20;
/** Nanoseconds for each element that is made. */
const NEW_ELEMENT = 30;
/** Nanoseconds of work after which the meter is looked at. */
const BETWEEN_LOOKS = 2_000_000;

/** Counts what a run uses and ends it when that is too much. */
export class Budget {
  private memory = 0;
  private turns = 0;
  private work = 0;
  private nextLook = BETWEEN_LOOKS;

  /** @param most nanoseconds of work; less than usual only to see that everything has a price. */
  constructor(private readonly most: number = WORK_BUDGET) {}

  /** Charges for elements. */
  take(size: number): void {
    this.memory += size;
    if (this.memory >= MEMORY_BUDGET) fail("memory budget exceeded");
    this.spend(size * NEW_ELEMENT);
  }

  /** Charges for a text before it is made: its characters, or more. */
  write(characters: number): void {
    if (!(characters <= LONGEST_TEXT)) fail("memory budget exceeded");
    this.spend(characters * NEW_CHARACTER);
  }

  /** Charges for turns of a predicate, of which each costs so many nanoseconds. */
  turn(turns = 1, cost = 50): void {
    this.turns += turns;
    if (this.turns > TURN_BUDGET) fail("loop budget exceeded");
    this.spend(turns * cost);
  }

  /** Charges for work that is about to be done; `what` names it where it is dear. */
  spend(nanoseconds: number, what?: string): void {
    this.work += nanoseconds;
    if (this.work > this.most) fail(exhausted(this.work, nanoseconds, what));
    if (this.work < this.nextLook) return;
    this.nextLook = this.work + BETWEEN_LOOKS;
    checkMeter(nanoseconds / 1e6);
  }

  /** Ends the run when a list that grows has become too long, without charging for it. */
  check(length: number): void {
    if (length >= MEMORY_BUDGET) fail("memory budget exceeded");
  }
}

function exhausted(work: number, asked: number, what: string | undefined): string {
  const seconds = (nanoseconds: number) => `${Math.ceil(nanoseconds / 1e7) / 100}s`;
  const limit = `loop budget exceeded: the work of one run may take ${seconds(WORK_BUDGET)}`;
  return what === undefined || asked < 1_000_000 ? limit : `${limit}, ${what} would make it ${seconds(work)}`;
}

function fail(reason: string): never {
  throw new BudgetFailure(reason);
}

let current: Budget | undefined;

/** Runs something with a budget for all that is charged within. */
export function withBudget<T>(budget: Budget, run: () => T): T {
  const outer = current;
  current = budget;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/** Charges the run at work, if there is one. */
export function spend(nanoseconds: number): void {
  current?.spend(nanoseconds);
}

/** The budget of the run at work; one of its own for whoever calls a function outside of a run. */
export function budgetAtWork(): Budget {
  return current ?? new Budget();
}
