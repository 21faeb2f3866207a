/** Times of log lines in a zone: that of the line, and what the line itself says as `time="…"`. Pure. */

/** The zone that a server tells times in. */
export const UTC = "UTC";

/** Writes times; makes one format for each zone, as a page shows the same one again and again. */
export class LogTimes {
  readonly #format: Intl.DateTimeFormat | undefined;

  /** Times of an unknown zone are left as they are. */
  constructor(zone: string) {
    if (zone !== UTC) this.#format = formatOf(zone);
  }

  /** The time of a line of day, with milliseconds, for one as RFC 3339; empty for none. */
  clock(time: string): string {
    if (!this.#format || time === "") return time.slice(11, 23);
    return this.#written(time)?.slice(11) ?? time.slice(11, 23);
  }

  /** A line with its own time in the zone. */
  told(text: string): string {
    if (!this.#format || !text.includes(FIELD)) return text;
    const from = text.indexOf(FIELD) + FIELD.length;
    const to = text.indexOf('"', from);
    const written = to < 0 || to - from > LONGEST ? undefined : this.#written(text.slice(from, to));
    return written === undefined ? text : `${text.slice(0, from)}${written}${text.slice(to)}`;
  }

  #written(time: string): string | undefined {
    const millis = /^\d{4}-\d\d-\d\dT/.test(time) ? Date.parse(time) : NaN;
    if (Number.isNaN(millis) || !this.#format) return undefined;
    const parts = new Map(this.#format.formatToParts(millis).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
    return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}.${
      part("fractionalSecond" as Intl.DateTimeFormatPartTypes)
    }`;
  }
}

const FIELD = 'time="';
/** A longer text in quotes is no time. */
const LONGEST = 40;

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
    });
  } catch {
    return undefined;
  }
}
