/**
 * A clock over many evaluations. Prices (`budget.ts`) limit the work of one run; a meter limits the total time of a
 * caller's evaluations, so that a thousand expressions of half a second each do not add up.
 *
 * The language itself has no clock: the caller passes one in. An engine uses a meter for each pass, a linter for each
 * file:
 *
 * ```ts
 * import { EvaluationMeter, withMeter } from "./meter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const meter = new EvaluationMeter({ now: () => performance.now(), all: 10_000, single: 3_000 });
 * const answer = withMeter(meter, () => 6 * 7); // counts every evaluation within; all fail once time is up
 * assertEquals(answer, 42);
 * assertEquals(meter.isExhausted, false);
 * ```
 *
 * Evaluations are synchronous, so the current meter is a module variable while `act` runs. One meter may cover several
 * acts: spent time adds up.
 */

import { TemplateError } from "../error.ts";
import type { SourceLocation } from "../place.ts";

/** The clock of a meter, and its time limits. */
export interface MeterSettings {
  /** A monotonic clock in milliseconds, such as `performance.now`. */
  readonly now: () => number;
  /** Maximum milliseconds of all evaluations under the meter together. */
  readonly all: number;
  /** Maximum milliseconds of each evaluation. */
  readonly single: number;
  /** Maximum milliseconds of everything under the meter, including other work. Unlimited by default. */
  readonly whole?: number;
  /**
   * Maximum milliseconds of one step whose duration is known in advance; a longer step is not started. Defaults to
   * `whole`.
   */
  readonly step?: number;
}

interface MeterErrorOptions {
  readonly cause?: unknown;
  readonly place?: SourceLocation;
  readonly isForAll?: boolean;
}

/**
 * The time for evaluations is up. It is not a reason to wait for a value, and not always the fault of the current
 * expression.
 */
export class MeterError extends TemplateError {
  override readonly name: string = "MeterError";
  /** Whether the time of all evaluations is up, so that later ones fail too. */
  readonly isForAll: boolean;

  constructor(reason: string, { isForAll = false, ...options }: MeterErrorOptions = {}) {
    super(reason, options);
    this.isForAll = isForAll;
  }

  /** Returns the error with a place: the expression, and the offset in it. */
  within(source: string, offset = 0): MeterError {
    return this.place === undefined
      ? new MeterError(this.reason, { place: { source, offset }, cause: this, isForAll: this.isForAll })
      : this;
  }
}

/** Adds up the time of evaluations. */
export class EvaluationMeter {
  private readonly settings: MeterSettings;
  private readonly began: number;
  private before = 0;
  private since: number | undefined;
  private overdue = false;

  constructor(settings: MeterSettings) {
    this.settings = settings;
    this.began = settings.now();
  }

  /** Milliseconds that evaluations have taken. */
  get spent(): number {
    return this.before + (this.since === undefined ? 0 : this.settings.now() - this.since);
  }

  /** Whether the time of all evaluations is up, so that each further one fails immediately. */
  get isExhausted(): boolean {
    return this.spent > this.settings.all;
  }

  /** Whether work was ended because the whole took too long, so that its result cannot be used. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /** @throws {MeterError} when the time of the whole is up, or would be after work of `ahead` milliseconds. */
  checkWhole(ahead = 0): void {
    const { whole, now, step = Infinity } = this.settings;
    if (whole === undefined) return;
    if (!this.overdue && ahead <= step && now() - this.began + ahead <= whole) return;
    this.overdue = true;
    throw new MeterError(`all of it may take ${formatMillis(whole)}`, { isForAll: true });
  }

  /** @throws {MeterError} when time is up: for all evaluations, for the current one, or for the whole. */
  check(ahead = 0): void {
    this.checkWhole(ahead);
    const single = this.since === undefined ? 0 : this.settings.now() - this.since;
    if (single > this.settings.single) {
      throw new MeterError(
        `an evaluation may take ${formatMillis(this.settings.single)}, this one took ${formatMillis(single)}`,
      );
    }
    if (this.before + single <= this.settings.all) return;
    const taken = formatMillis(this.before + single);
    throw new MeterError(`all evaluations together may take ${formatMillis(this.settings.all)}, they took ${taken}`, {
      isForAll: true,
    });
  }

  /**
   * Runs a step of an evaluation whose duration is random, such as the search for a prime, and counts a fixed time for
   * it, so that evaluations do not fail randomly.
   * @throws {MeterError} before the step, when fewer than `milliseconds` are left.
   */
  countAs<T>(milliseconds: number, step: () => T): T {
    const began = this.settings.now();
    const add = (time: number) => {
      if (this.since === undefined) this.before += time;
      else this.since -= time;
    };
    add(milliseconds);
    this.check();
    try {
      return step();
    } finally {
      if (this.since !== undefined) add(began - this.settings.now());
    }
  }

  /** Runs one evaluation and adds its time. A nested evaluation is part of the outer one. */
  measure<T>(evaluation: () => T): T {
    if (this.since !== undefined) return evaluation();
    this.check();
    this.since = this.settings.now();
    try {
      return evaluation();
    } finally {
      this.before += this.settings.now() - this.since;
      this.since = undefined;
    }
  }
}

function formatMillis(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))}s`;
}

let current: EvaluationMeter | undefined;

/** Runs `act` with a meter for every evaluation in it. Within another meter, only the inner one counts. */
export function withMeter<T>(meter: EvaluationMeter, act: () => T): T {
  const outer = current;
  current = meter;
  try {
    return act();
  } finally {
    current = outer;
  }
}

/**
 * Runs one evaluation under the current meter, if any.
 * @throws {MeterError} when time is up.
 */
export function metered<T>(evaluation: () => T): T {
  return current === undefined ? evaluation() : current.measure(evaluation);
}

/**
 * @throws {MeterError} when there is a current meter and its time is up, or would be after `ahead` more milliseconds.
 */
export function checkMeter(ahead = 0): void {
  current?.check(ahead);
}

/**
 * Runs a step whose duration is random; under a meter it counts as `milliseconds`.
 * @throws {MeterError} before the step, when there is a current meter and less time is left.
 */
export function countedAs<T>(milliseconds: number, step: () => T): T {
  return current === undefined ? step() : current.countAs(milliseconds, step);
}

/**
 * Checks the time limit of work other than evaluations. Call it wherever an object of a client determines how often
 * something is done, or how long one step takes.
 * @throws {MeterError} when there is a current meter and the time of the whole is up, or would be after `ahead` more
 * milliseconds.
 */
export function checkWholeTime(ahead = 0): void {
  current?.checkWhole(ahead);
}
