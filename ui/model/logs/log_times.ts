/** Times of log lines in a time zone: the time of the line, and a field `time="…"` in its text. Pure. */

/** The time zone of times from the server. */
export const UTC = "UTC";

/** Formats times with one cached format. */
export class LogTimes {
  readonly #format: Intl.DateTimeFormat | undefined;

  /** Times stay unchanged if the zone is unknown. */
  constructor(zone: string) {
    if (zone !== UTC) this.#format = formatOf(zone);
  }

  /** Returns the local time with milliseconds of an RFC 3339 time; empty without one. */
  clockTime(time: string): string {
    if (!this.#format || time === "") return time.slice(11, 23);
    return this.#formatTime(time)?.slice(11) ?? time.slice(11, 23);
  }

  /** Converts the time in the text of a line to the zone. */
  convertTime(text: string): string {
    if (!this.#format || !text.includes(FIELD)) return text;
    const from = text.indexOf(FIELD) + FIELD.length;
    const to = text.indexOf('"', from);
    const written = to < 0 || to - from > MAX_TIME_LENGTH ? undefined : this.#formatTime(text.slice(from, to));
    return written === undefined ? text : `${text.slice(0, from)}${written}${text.slice(to)}`;
  }

  #formatTime(time: string): string | undefined {
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
/** A longer quoted text is not a time. */
const MAX_TIME_LENGTH = 40;

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
