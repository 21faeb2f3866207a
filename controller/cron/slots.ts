/** Slots of a cron workflow: the moments at which one of its schedules fires, each in whole seconds, all in one row. */
import type { GoZone } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { CronError, inTimezone, parseSchedule, type Schedule } from "@tiphys/language/template";

/**
 * An answer that was given: `at` is the first slot of a schedule after any moment from `from` on and before `until`. It is
 * undefined when there is no slot within five years.
 */
interface Known {
  readonly from: number;
  readonly until: number;
  readonly at: number | undefined;
}

/** A schedule, and its last answer. */
interface Own {
  readonly schedule: Schedule;
  known?: Known;
}

/** The time for which it is known that a schedule has no slot within five years. */
const NEVER_MILLIS = 24 * 3_600_000;

/**
 * The schedules of a cron workflow, read. A search in a calendar with a zone takes up to a millisecond, so answers are kept,
 * equal schedules are one, and the searches of one question are limited.
 */
export class Slots {
  readonly #schedules: readonly Own[];
  readonly #anchor: number;
  /** The steps of the question that is being answered. */
  #steps = 0;

  /**
   * `local`: the zone of schedules that name none. `anchor`: where `@every` begins to count, milliseconds since 1970.
   * @throws {CronError} when a schedule cannot be read.
   */
  constructor(
    schedules: readonly string[],
    { timezone, local, anchor }: {
      readonly timezone: string | undefined;
      readonly local: GoZone;
      readonly anchor: number;
    },
  ) {
    const different = new Set(schedules.map((text) => inTimezone(text, timezone)));
    this.#schedules = Array.from(different, (text) => ({ schedule: parseSchedule(text, local) }));
    this.#anchor = Math.floor(anchor / 1000) * 1000;
  }

  /**
   * The first slot after a moment, milliseconds since 1970; undefined when there is none within five years.
   * @throws {CronError} when the search takes too many steps.
   */
  next(after: number): number | undefined {
    this.#steps = 0;
    const all = this.#schedules.map((own) => this.#keep(own, after)).filter((at) => at !== undefined);
    return all.length ? Math.min(...all) : undefined;
  }

  /**
   * The last slot after one moment and not after another, milliseconds since 1970; undefined when there is none.
   * @throws {CronError} when the search takes too many steps.
   */
  latest(after: number, upTo: number): number | undefined {
    this.#steps = 0;
    const all = this.#schedules.map((own) => this.#latestOf(own, after, upTo));
    const found = all.filter((at) => at !== undefined);
    return found.length ? Math.max(...found) : undefined;
  }

  #keep(own: Own, after: number): number | undefined {
    const { schedule, known } = own;
    if (known && known.from <= after && after < known.until) return known.at;
    const at = this.#nextOf(schedule, after);
    own.known = { from: after, until: at ?? after + NEVER_MILLIS, at };
    return at;
  }

  readonly #step = (): void => {
    if (++this.#steps > LIMITS.scheduleSteps) {
      throw new CronError(`the schedules take more than ${LIMITS.scheduleSteps} steps to search; give fewer of them`);
    }
  };

  #nextOf(schedule: Schedule, after: number): number | undefined {
    const every = (schedule.everySeconds ?? 0) * 1000;
    if (every === 0) return schedule.next(new Date(after), this.#step)?.getTime();
    const times = Math.max(0, Math.floor((after - this.#anchor) / every));
    return this.#anchor + (times + 1) * every;
  }

  /** The last slot after one moment and not after another; the seconds in question are halved at each step. */
  #latestOf(own: Own, after: number, upTo: number): number | undefined {
    const { schedule } = own;
    const first = this.#keep(own, after);
    if (first === undefined || first > upTo) return undefined;
    const second = this.#nextOf(schedule, first);
    if (second === undefined || second > upTo) return first;
    const isBefore = (moment: number) => {
      const next = this.#nextOf(schedule, moment);
      return next !== undefined && next <= upTo;
    };
    let low = Math.floor(first / 1000);
    let high = Math.floor(upTo / 1000);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isBefore(middle * 1000)) low = middle;
      else high = middle;
    }
    return this.#nextOf(schedule, low * 1000);
  }
}
