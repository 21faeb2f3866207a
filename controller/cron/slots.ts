/** Slots of a cron workflow: the moments at which any of its schedules fires, in whole seconds. */
import type { GoZone } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { CronError, inTimezone, parseSchedule, type Schedule } from "@tiphys/language/template";

/**
 * A cached search: `at` is the first slot of a schedule after every moment from `from` (inclusive) to `until`
 * (exclusive). It is undefined if there is no slot within five years.
 */
interface CachedSearch {
  readonly from: number;
  readonly until: number;
  readonly at: number | undefined;
}

/** A schedule with its last search. */
interface CachedSchedule {
  readonly schedule: Schedule;
  search?: CachedSearch;
}

/** The time for which the result that a schedule has no slot within five years is cached, in milliseconds. */
const NEVER_MILLIS = 24 * 3_600_000;

/**
 * The parsed schedules of a cron workflow. A search in a calendar with a time zone takes up to a millisecond, so
 * results are cached, equal schedules are merged, and the number of steps per call is limited.
 */
export class Slots {
  readonly #schedules: readonly CachedSchedule[];
  readonly #anchor: number;
  /** The steps of the current call. */
  #steps = 0;

  /**
   * `local`: the zone of schedules without a zone. `anchor`: the moment from which `@every` counts, in milliseconds
   * since 1970.
   * @throws {CronError} if a schedule is malformed.
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
   * The first slot after a moment, in milliseconds since 1970; undefined if no slot follows within five years.
   * @throws {CronError} if the search takes too many steps.
   */
  next(after: number): number | undefined {
    this.#steps = 0;
    const all = this.#schedules.map((cached) => this.#cachedNext(cached, after)).filter((time) => time !== undefined);
    return all.length ? Math.min(...all) : undefined;
  }

  /**
   * The last slot in the interval (`after`, `upTo`], in milliseconds since 1970; undefined if it contains no slot.
   * @throws {CronError} if the search takes too many steps.
   */
  latestSlot(after: number, upTo: number): number | undefined {
    this.#steps = 0;
    const all = this.#schedules.map((cached) => this.#latestSlotOf(cached, after, upTo));
    const found = all.filter((time) => time !== undefined);
    return found.length ? Math.max(...found) : undefined;
  }

  #cachedNext(cached: CachedSchedule, after: number): number | undefined {
    const { schedule, search } = cached;
    if (search && search.from <= after && after < search.until) return search.at;
    const time = this.#nextOf(schedule, after);
    cached.search = { from: after, until: time ?? after + NEVER_MILLIS, at: time };
    return time;
  }

  readonly #step = (): void => {
    if (++this.#steps > LIMITS.scheduleSteps) {
      throw new CronError(`the schedules take more than ${LIMITS.scheduleSteps} steps to search; give fewer of them`);
    }
  };

  #nextOf(schedule: Schedule, after: number): number | undefined {
    const every = (schedule.intervalSeconds ?? 0) * 1000;
    if (every === 0) return schedule.next(new Date(after), this.#step)?.getTime();
    const times = Math.max(0, Math.floor((after - this.#anchor) / every));
    return this.#anchor + (times + 1) * every;
  }

  /** The last slot of one schedule in the interval (`after`, `upTo`], by binary search over its seconds. */
  #latestSlotOf(cached: CachedSchedule, after: number, upTo: number): number | undefined {
    const { schedule } = cached;
    const first = this.#cachedNext(cached, after);
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
