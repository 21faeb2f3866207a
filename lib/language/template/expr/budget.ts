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
export const PREDICATE_CALL_BUDGET = 10_000_000;
/** Maximum work of one run, in nanoseconds by the price list. */
export const WORK_BUDGET = 1_500_000_000;
/** Maximum number of characters of one text: far more than any object of a cluster can contain. */
export const MAX_TEXT_LENGTH = 10_000_000;

/** Nanoseconds for each character that a function creates. The work budget thereby limits characters to 75 million. */
const CHARACTER_COST = 20;
/** Nanoseconds for each created element. */
const ELEMENT_COST = 30;
/** Nanoseconds of work between two checks of the meter. */
const METER_CHECK_INTERVAL = 2_000_000;

/** A limit on the work of several runs together, in nanoseconds by the price list. */
export class WorkLimit {
  #left: number;

  /** @param subject the runs, for messages: `the metrics of one pass`. */
  constructor(private readonly nanoseconds: number, private readonly subject: string) {
    this.#left = nanoseconds;
  }

  /** Whether the limit is used up. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** Charges for work before it is done. */
  charge(nanoseconds: number): void {
    this.#left -= nanoseconds;
    if (this.#left <= 0) fail(this.message);
  }

  /** The message for work that is not done because the limit is used up. */
  get message(): string {
    return `the work of ${this.subject} may take ${this.nanoseconds / 1e9}s`;
  }
}

let currentLimit: WorkLimit | undefined;

/** Runs a function in which every run is charged to the limit, too. */
export function withWorkLimit<T>(limit: WorkLimit, act: () => T): T {
  const outer = currentLimit;
  currentLimit = limit;
  try {
    return act();
  } finally {
    currentLimit = outer;
  }
}

/** Counts the resources that a run uses and ends it when it exceeds them. */
export class Budget {
  private readonly limit = currentLimit;
  private memory = 0;
  private predicateCalls = 0;
  private work = 0;
  private nextMeterCheck = METER_CHECK_INTERVAL;

  /** @param maxWork nanoseconds of work; smaller than the default only in tests of prices. */
  constructor(private readonly maxWork: number = WORK_BUDGET) {}

  /** Charges for elements. */
  chargeElements(size: number): void {
    this.memory += size;
    if (this.memory >= MEMORY_BUDGET) fail("memory budget exceeded");
    this.charge(size * ELEMENT_COST);
  }

  /** Charges for a text before it is created: its characters, or an upper bound. */
  chargeCharacters(characters: number): void {
    if (!(characters <= MAX_TEXT_LENGTH)) fail("memory budget exceeded");
    this.charge(characters * CHARACTER_COST);
  }

  /** Charges for predicate calls, each of which costs `cost` nanoseconds. */
  chargePredicateCalls(turns = 1, cost = 50): void {
    this.predicateCalls += turns;
    if (this.predicateCalls > PREDICATE_CALL_BUDGET) fail("loop budget exceeded");
    this.charge(turns * cost);
  }

  /** Charges for work before it is done. `subject` describes expensive work in the error message. */
  charge(nanoseconds: number, subject?: string): void {
    this.work += nanoseconds;
    if (this.work > this.maxWork) fail(exhaustedMessage(this.work, nanoseconds, subject));
    this.limit?.charge(nanoseconds);
    if (this.work < this.nextMeterCheck) return;
    this.nextMeterCheck = this.work + METER_CHECK_INTERVAL;
    checkMeter(nanoseconds / 1e6);
  }

  /** Fails when a growing list is too long. Does not charge for it. */
  checkLength(length: number): void {
    if (length >= MEMORY_BUDGET) fail("memory budget exceeded");
  }
}

function exhaustedMessage(work: number, charged: number, subject: string | undefined): string {
  const seconds = (nanoseconds: number) => `${Math.ceil(nanoseconds / 1e7) / 100}s`;
  const limit = `loop budget exceeded: the work of one run may take ${seconds(WORK_BUDGET)}`;
  return subject === undefined || charged < 1_000_000 ? limit : `${limit}, ${subject} would make it ${seconds(work)}`;
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
export function chargeRun(nanoseconds: number): void {
  current?.charge(nanoseconds);
}

/** Returns the budget of the current run, or a new one for a function that is called outside of a run. */
export function currentBudget(): Budget {
  return current ?? new Budget();
}
