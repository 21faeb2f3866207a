/**
 * A clock over many evaluations. Prices (`budget.ts`) bound one run by what it does; a meter bounds by time what a caller
 * asks for altogether, so that a thousand expressions of half a second each do not add up.
 *
 * The language has no clock of its own: whoever evaluates hands one in. An engine puts one around each pass, a linter
 * around each file:
 *
 * ```ts
 * import { EvaluationMeter, withMeter } from "./meter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const meter = new EvaluationMeter({ now: () => performance.now(), all: 10_000, single: 3_000 });
 * const answer = withMeter(meter, () => 6 * 7); // every evaluation within counts; they all fail once time is up
 * assertEquals(answer, 42);
 * assertEquals(meter.isExhausted, false);
 * ```
 *
 * Evaluations are synchronous, so the meter is simply the one at work while `act` runs. One meter may go around several
 * acts: what was spent is kept.
 */

import { TemplateError } from "../error.ts";
import type { Place } from "../place.ts";

/** The clock of a meter, and the times that it allows. */
export interface MeterSettings {
  /** A clock in milliseconds that never goes back, such as `performance.now`. */
  readonly now: () => number;
  /** Milliseconds that all evaluations under the meter may take together. */
  readonly all: number;
  /** Milliseconds that each of them may take. */
  readonly single: number;
  /** Milliseconds that everything under the meter may take, whatever it is; without it, as long as it takes. */
  readonly whole?: number;
  /** Milliseconds that one step may take of which it is known beforehand; a longer one is not begun. Without it, the whole. */
  readonly step?: number;
}

interface MeterErrorOptions {
  readonly cause?: unknown;
  readonly place?: Place;
  readonly isForAll?: boolean;
}

/** Time for evaluations is up: no reason to wait for a value, and not always the fault of the expression at hand. */
export class MeterError extends TemplateError {
  override readonly name: string = "MeterError";
  /** Whether the time of all evaluations is up: those that follow will fail, too. */
  readonly isForAll: boolean;

  constructor(reason: string, { isForAll = false, ...options }: MeterErrorOptions = {}) {
    super(reason, options);
    this.isForAll = isForAll;
  }

  /** The same with its place: in which expression, and where in it. */
  within(source: string, offset = 0): MeterError {
    return this.place === undefined
      ? new MeterError(this.reason, { place: { source, offset }, cause: this, isForAll: this.isForAll })
      : this;
  }
}

/** Adds up the time that evaluations take. */
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

  /** Whether the time of all evaluations is up: each further one fails at once. */
  get isExhausted(): boolean {
    return this.spent > this.settings.all;
  }

  /** Whether something was ended because the whole took too long: what came of it is of no use. */
  get isOverdue(): boolean {
    return this.overdue;
  }

  /**
   * @throws {MeterError} when the time of the whole is up, or would be after work that is known to take so many
   * milliseconds.
   */
  checkWhole(ahead = 0): void {
    const { whole, now, step = Infinity } = this.settings;
    if (whole === undefined) return;
    if (!this.overdue && ahead <= step && now() - this.began + ahead <= whole) return;
    this.overdue = true;
    throw new MeterError(`all of it may take ${shown(whole)}`, { isForAll: true });
  }

  /** @throws {MeterError} when time is up: for all evaluations, for the one at work, or for the whole. */
  check(ahead = 0): void {
    this.checkWhole(ahead);
    const single = this.since === undefined ? 0 : this.settings.now() - this.since;
    if (single > this.settings.single) {
      throw new MeterError(`an evaluation may take ${shown(this.settings.single)}, this one took ${shown(single)}`);
    }
    if (this.before + single <= this.settings.all) return;
    const taken = shown(this.before + single);
    throw new MeterError(`all evaluations together may take ${shown(this.settings.all)}, they took ${taken}`, {
      isForAll: true,
    });
  }

  /**
   * Runs a step of an evaluation that takes a random time, such as the search for a prime, and adds a fixed time for it, so
   * that it never fails by chance.
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

  /** Runs one evaluation and adds its time. One within another is part of that. */
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

function shown(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))}s`;
}

let current: EvaluationMeter | undefined;

/** Runs `act` with a meter over every evaluation in it. Within another meter the inner one alone counts. */
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
 * Runs one evaluation under the meter at work, if there is one.
 * @throws {MeterError} when time is up.
 */
export function metered<T>(evaluation: () => T): T {
  return current === undefined ? evaluation() : current.measure(evaluation);
}

/** @throws {MeterError} when there is a meter at work and time is up, or would be after so many milliseconds more. */
export function checkMeter(ahead = 0): void {
  current?.check(ahead);
}

/**
 * Runs a step that takes a random time; under a meter it counts as `milliseconds`.
 * @throws {MeterError} before the step, when there is a meter and less time is left.
 */
export function countedAs<T>(milliseconds: number, step: () => T): T {
  return current === undefined ? step() : current.countAs(milliseconds, step);
}

/**
 * To be asked wherever a caller's object says how often something is done, or how long one step of it takes.
 * @throws {MeterError} when there is a meter at work and the time of the whole is up, or would be after so many milliseconds
 * more: for work that is no evaluation.
 */
export function checkWholeTime(ahead = 0): void {
  current?.checkWhole(ahead);
}
