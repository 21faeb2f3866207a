/**
 * The way back into a log after its stream broke: what was seen is known by source, time, and how many lines of that time
 * there were, so that nothing is lost and nothing told twice.
 */

interface Seen {
  /** The time of the last line. */
  time: string;
  /** The number of lines of that time. */
  count: number;
}

/** The memory of one log over all its streams. */
export class LogResume {
  readonly #seen = new Map<string, Seen>();
  /** The lines of the last known time that this stream has told again, by source. */
  #again = new Map<string, number>();

  /**
   * The time from which the next stream is to be asked for: the earliest of the last times, so that the source that lags
   * most loses nothing. Undefined before the first line.
   */
  sinceTime(): string | undefined {
    let earliest: string | undefined;
    for (const { time } of this.#seen.values()) if (earliest === undefined || isBefore(time, earliest)) earliest = time;
    // Servers count in whole seconds.
    return earliest?.replace(/\.\d+/, "");
  }

  /** Says that a new stream begins: it may tell again what was seen. */
  restart(): void {
    this.#again = new Map();
  }

  /** Whether a line is new; to be asked of every line, in the order in which they come. Lines without a time always are. */
  isNew(source: string, time: string): boolean {
    if (time === "") return true;
    const seen = this.#seen.get(source);
    if (!seen) {
      this.#seen.set(source, { time, count: 1 });
      this.#again.set(source, 1);
      return true;
    }
    if (isBefore(time, seen.time)) return false;
    if (time !== seen.time) {
      seen.time = time;
      seen.count = 1;
      this.#again.set(source, 1);
      return true;
    }
    const again = (this.#again.get(source) ?? 0) + 1;
    this.#again.set(source, again);
    if (again <= seen.count) return false;
    seen.count = again;
    return true;
  }
}

/** Whether an RFC 3339 time in UTC comes before another; they may have any number of digits behind the point. */
function isBefore(a: string, b: string): boolean {
  const [secondsA, secondsB] = [a.slice(0, 19), b.slice(0, 19)];
  if (secondsA !== secondsB) return secondsA < secondsB;
  return fraction(a) < fraction(b);
}

function fraction(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0");
}

/** A line of a log that was asked for with times: its time, and what was written. */
export function splitTime(content: string): { time: string; text: string } {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) ?/.exec(content);
  return match ? { time: match[1]!, text: content.slice(match[0].length) } : { time: "", text: content };
}
