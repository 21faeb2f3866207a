/**
 * The budget of one run: created elements and characters, predicate calls, and work.
 *
 * Work is counted in nanoseconds of the machine in docs/template-language.md, with prices (`prices.ts`) instead of a
 * clock: the same expression over the same values always ends in the same way. `meter.ts` can limit time in addition.
 */
import { BudgetFailure } from "./failure.ts";
import { checkMeter } from "./meter.ts";

/** Maximum number of elements that one run may create. */
export const MEMORY_BUDGET = 1_000_000;
/** Maximum number of predicate calls in one run; nested loops over ranges reach it within about a second. */
export const TURN_BUDGET = 10_000_000;
/** Maximum work of one run, in nanoseconds by the price list. */
export const WORK_BUDGET = 1_500_000_000;
/** Maximum number of characters of one text: far more than any object of a cluster can contain. */
export const LONGEST_TEXT = 10_000_000;

/** Nanoseconds for each character that a function creates. The work budget thereby limits characters to 75 million. */
const NEW_CHARACTER = 20;
/** Nanoseconds for each created element. */
const NEW_ELEMENT = 30;
/** Nanoseconds of work between two checks of the meter. */
const BETWEEN_LOOKS = 2_000_000;

/** The work that many runs may do together, in nanoseconds by the price list. */
export class WorkLimit {
  #left: number;

  /** @param subject the runs, for messages: `the metrics of one pass`. */
  constructor(private readonly nanoseconds: number, private readonly subject: string) {
    this.#left = nanoseconds;
  }

  /** Whether nothing is left. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Charges for work before it is done. */
  spend(nanoseconds: number): void {
    this.#left -= nanoseconds;
    if (this.#left <= 0) fail(this.message);
  }

  /** The message for work that is not done because nothing is left. */
  get message(): string {
    return `the work of ${this.subject} may take ${this.nanoseconds / 1e9}s`;
  }
}

let limitAtWork: WorkLimit | undefined;

/** Runs a function in which every run is charged to the limit, too. */
export function withWorkLimit<T>(limit: WorkLimit, act: () => T): T {
  const outer = limitAtWork;
  limitAtWork = limit;
  try {
    return act();
  } finally {
    limitAtWork = outer;
  }
}

/** Counts the resources that a run uses and ends it when it exceeds them. */
export class Budget {
  private readonly limit = limitAtWork;
  private memory = 0;
  private turns = 0;
  private work = 0;
  private nextLook = BETWEEN_LOOKS;

  /** @param most nanoseconds of work; smaller than the default only in tests of prices. */
  constructor(private readonly most: number = WORK_BUDGET) {}

  /** Charges for elements. */
  take(size: number): void {
    this.memory += size;
    if (this.memory >= MEMORY_BUDGET) fail("memory budget exceeded");
    this.spend(size * NEW_ELEMENT);
  }

  /** Charges for a text before it is created: its characters, or an upper bound. */
  write(characters: number): void {
    if (!(characters <= LONGEST_TEXT)) fail("memory budget exceeded");
    this.spend(characters * NEW_CHARACTER);
  }

  /** Charges for predicate calls, each of which costs `cost` nanoseconds. */
  turn(turns = 1, cost = 50): void {
    this.turns += turns;
    if (this.turns > TURN_BUDGET) fail("loop budget exceeded");
    this.spend(turns * cost);
  }

  /** Charges for work before it is done. `what` names expensive work in the error. */
  spend(nanoseconds: number, what?: string): void {
    this.work += nanoseconds;
    if (this.work > this.most) fail(exhaustedMessage(this.work, nanoseconds, what));
    this.limit?.spend(nanoseconds);
    if (this.work < this.nextLook) return;
    this.nextLook = this.work + BETWEEN_LOOKS;
    checkMeter(nanoseconds / 1e6);
  }

  /** Ends the run when a growing list is too long, without charging for it. */
  check(length: number): void {
    if (length >= MEMORY_BUDGET) fail("memory budget exceeded");
  }
}

function exhaustedMessage(work: number, asked: number, what: string | undefined): string {
  const seconds = (nanoseconds: number) => `${Math.ceil(nanoseconds / 1e7) / 100}s`;
  const limit = `loop budget exceeded: the work of one run may take ${seconds(WORK_BUDGET)}`;
  return what === undefined || asked < 1_000_000 ? limit : `${limit}, ${what} would make it ${seconds(work)}`;
}

function fail(reason: string): never {
  throw new BudgetFailure(reason);
}

let current: Budget | undefined;

/** Runs a function with a budget for all work in it. */
export function withBudget<T>(budget: Budget, run: () => T): T {
  const outer = current;
  current = budget;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/** Charges the current run, if any. */
export function spend(nanoseconds: number): void {
  current?.spend(nanoseconds);
}

/** Returns the budget of the current run, or a new one for a function that is called outside of a run. */
export function budgetAtWork(): Budget {
  return current ?? new Budget();
}
