/**
 * The way back into a log after its stream broke: what was seen is known by source, time, and how many lines of that time
 * there were, so that nothing is lost and nothing told twice. The log of a pod that is gone comes from an artifact, whole
 * and without times: there lines are known by their number.
 */

interface Seen {
  /** The time of the last line; empty before one had a time. */
  time: string;
  /** The number of lines of that time. */
  count: number;
  /** The number of all lines. */
  total: number;
}

/** What a stream has told of one source. */
interface Told {
  /** Its lines of the last known time. */
  ofLastTime: number;
  /** Its lines before the first one with a time. */
  withoutTime: number;
  /** Whether its last line with a time was new; undefined before one. */
  wasNew: boolean | undefined;
}

/** The memory of one log over all its streams. */
export class LogResume {
  readonly #seen = new Map<string, Seen>();
  #told = new Map<string, Told>();
  #last: { readonly source: string; readonly seen: Seen; readonly told: Told } | undefined;

  /**
   * The time from which the next stream is to be asked for: the earliest of the last times, so that the source that lags
   * most loses nothing. Undefined before the first line with a time.
   */
  sinceTime(): string | undefined {
    let earliest: string | undefined;
    for (const { time } of this.#seen.values()) {
      if (time !== "" && (earliest === undefined || isBefore(time, earliest))) earliest = time;
    }
    // Servers count in whole seconds.
    return earliest?.replace(/\.\d+/, "");
  }

  /** Says that a new stream begins: it may tell again what was seen. */
  restart(): void {
    this.#told = new Map();
    this.#last = undefined;
  }

  /** Whether a line is new; to be asked of every line, in the order in which they come. */
  isNew(source: string, time: string): boolean {
    // Most lines are of the source of the line before.
    if (this.#last?.source !== source) this.#last = { source, ...this.#entriesOf(source) };
    const { seen, told } = this.#last;
    const isNew = time === "" ? isNewWithoutTime(seen, told) : isNewAt(time, seen, told);
    if (time !== "") told.wasNew = isNew;
    if (isNew) seen.total++;
    return isNew;
  }

  #entriesOf(source: string): { readonly seen: Seen; readonly told: Told } {
    return {
      seen: entryOf(this.#seen, source, () => ({ time: "", count: 0, total: 0 })),
      told: entryOf(this.#told, source, () => ({ ofLastTime: 0, withoutTime: 0, wasNew: undefined })),
    };
  }
}

/** A line without a time goes on the one before it; without one it is a line of the whole log, known by its number. */
function isNewWithoutTime({ total }: Seen, told: Told): boolean {
  return told.wasNew ?? ++told.withoutTime > total;
}

function isNewAt(time: string, seen: Seen, told: Told): boolean {
  if (seen.time !== "" && isBefore(time, seen.time)) return false;
  if (time !== seen.time) {
    seen.time = time;
    seen.count = told.ofLastTime = 1;
    return true;
  }
  if (++told.ofLastTime <= seen.count) return false;
  seen.count = told.ofLastTime;
  return true;
}

function entryOf<T>(entries: Map<string, T>, key: string, make: () => T): T {
  let entry = entries.get(key);
  if (!entry) entries.set(key, entry = make());
  return entry;
}

/** Whether an RFC 3339 time in UTC comes before another; they may have any number of digits behind the point. */
function isBefore(a: string, b: string): boolean {
  // Times of one server have as many digits, nearly all of them: then they stand in the order of their texts.
  if (a.length === b.length) return a < b;
  const [secondsA, secondsB] = [a.slice(0, 19), b.slice(0, 19)];
  if (secondsA !== secondsB) return secondsA < secondsB;
  return fraction(a) < fraction(b);
}

function fraction(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0");
}

/** A line of a log that was asked for with times: its time, and what was written. */
export function splitTime(content: string): { time: string; text: string } {
  const length = timeLength(content, 0);
  return { time: content.slice(0, length), text: content.slice(afterTime(content, length, length)) };
}

/** The length of the time (RFC 3339, in UTC) that begins at a place of a text; 0 where there is none. */
export function timeLength(text: string, from: number): number {
  for (let at = 0; at < TIME_FORM.length; at++) {
    const code = text.charCodeAt(from + at);
    const wanted = TIME_FORM.charCodeAt(at);
    if (wanted === ZERO ? !isDigit(code) : code !== wanted) return 0;
  }
  let end = from + TIME_FORM.length;
  if (text.charCodeAt(end) === POINT) {
    const first = ++end;
    while (end - first < 9 && isDigit(text.charCodeAt(end))) end++;
    if (end === first) return 0;
  }
  return text.charCodeAt(end) === ZULU ? end + 1 - from : 0;
}

/** The place at which a line goes on behind its time: a blank between them belongs to neither. */
export function afterTime(text: string, end: number, length: number): number {
  return length > 0 && text.charCodeAt(end) === BLANK ? end + 1 : end;
}

/** The form of a time up to its seconds, with zeros for digits. */
const TIME_FORM = "0000-00-00T00:00:00";
const [BLANK, POINT, ZERO, NINE, ZULU] = [0x20, 0x2e, 0x30, 0x39, 0x5a] as const;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
