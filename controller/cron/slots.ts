/** Slots of a cron workflow: the moments at which one of its schedules fires, each in whole seconds, all in one row. */
import type { GoZone } from "../../lib/go/mod.ts";
import { inTimezone, parseSchedule, type Schedule } from "../../lib/template/mod.ts";

/** An answer that was given: `at` is the first moment of a schedule after any one from `from` on and before `at`. */
interface Known {
  readonly from: number;
  readonly at: number;
}

/** The schedules of a cron workflow, read. Going through a calendar with a zone takes milliseconds: answers are kept. */
export class Slots {
  readonly #schedules: readonly { readonly schedule: Schedule; known?: Known }[];
  readonly #anchor: number;

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
    this.#schedules = schedules.map((text) => ({ schedule: parseSchedule(inTimezone(text, timezone), local) }));
    this.#anchor = Math.floor(anchor / 1000) * 1000;
  }

  /** The first slot after a moment, milliseconds since 1970; undefined when there is none within five years. */
  next(after: number): number | undefined {
    const all = this.#schedules.map((own) => this.#keep(own, after)).filter((at) => at !== undefined);
    return all.length ? Math.min(...all) : undefined;
  }

  /** The last slot after one moment and not after another, milliseconds since 1970; undefined when there is none. */
  latest(after: number, upTo: number): number | undefined {
    const all = this.#schedules.map((own) => this.#latestOf(own, after, upTo));
    const found = all.filter((at) => at !== undefined);
    return found.length ? Math.max(...found) : undefined;
  }

  #keep(own: { readonly schedule: Schedule; known?: Known }, after: number): number | undefined {
    const { schedule, known } = own;
    if (known && known.from <= after && after < known.at) return known.at;
    const at = this.#nextOf(schedule, after);
    if (at !== undefined) own.known = { from: after, at };
    return at;
  }

  #nextOf(schedule: Schedule, after: number): number | undefined {
    const every = (schedule.everySeconds ?? 0) * 1000;
    if (every === 0) return schedule.next(new Date(after))?.getTime();
    const times = Math.max(0, Math.floor((after - this.#anchor) / every));
    return this.#anchor + (times + 1) * every;
  }

  /** The last slot after one moment and not after another; the seconds in question are halved at each step. */
  #latestOf(own: { readonly schedule: Schedule; known?: Known }, after: number, upTo: number): number | undefined {
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
