/**
 * Resumes a log after its stream broke. Received lines are identified by source, time, and the number of lines with
 * that time, so that no line is lost or repeated. The log of a deleted pod comes from an artifact, complete and without
 * times; its lines are identified by number.
 */

interface SourcePosition {
  /** The time of the last line; empty before the first line with a time. */
  time: string;
  /** The number of lines with that time. */
  count: number;
  /** The number of all lines. */
  total: number;
}

/** The lines of one source in the current stream. */
interface StreamPosition {
  /** Lines with the last known time. */
  ofLastTime: number;
  /** Lines before the first one with a time. */
  withoutTime: number;
  /** Whether the last line with a time was new; undefined if no line had a time yet. */
  wasNew: boolean | undefined;
}

/** The position in one log across all its streams. */
export class LogResume {
  readonly #seen = new Map<string, SourcePosition>();
  #positions = new Map<string, StreamPosition>();
  #last: { readonly source: string; readonly seen: SourcePosition; readonly position: StreamPosition } | undefined;

  /**
   * Returns the start time for the next stream: the earliest of the last times, so that no source loses lines.
   * Undefined before the first line with a time.
   */
  sinceTime(): string | undefined {
    let earliest: string | undefined;
    for (const { time } of this.#seen.values()) {
      if (time !== "" && (earliest === undefined || isBefore(time, earliest))) earliest = time;
    }
    // Servers accept whole seconds.
    return earliest?.replace(/\.\d+/, "");
  }

  /** Starts a new stream, which may repeat lines. */
  startStream(): void {
    this.#positions = new Map();
    this.#last = undefined;
  }

  /** Reports whether a line is new. Must be called for every line in order of arrival. */
  isNew(source: string, time: string): boolean {
    // Most lines are from the same source as the previous one.
    if (this.#last?.source !== source) this.#last = { source, ...this.#entriesOf(source) };
    const { seen, position } = this.#last;
    const isNew = time === "" ? isNewWithoutTime(seen, position) : isNewAt(time, seen, position);
    if (time !== "") position.wasNew = isNew;
    if (isNew) seen.total++;
    return isNew;
  }

  #entriesOf(source: string): { readonly seen: SourcePosition; readonly position: StreamPosition } {
    return {
      seen: entryOf(this.#seen, source, () => ({ time: "", count: 0, total: 0 })),
      position: entryOf(this.#positions, source, () => ({ ofLastTime: 0, withoutTime: 0, wasNew: undefined })),
    };
  }
}

/**
 * A line without a time continues the previous one. Before the first line with a time, it belongs to a complete log and
 * is identified by number.
 */
function isNewWithoutTime({ total }: SourcePosition, position: StreamPosition): boolean {
  return position.wasNew ?? ++position.withoutTime > total;
}

function isNewAt(time: string, seen: SourcePosition, position: StreamPosition): boolean {
  if (seen.time !== "" && isBefore(time, seen.time)) return false;
  if (time !== seen.time) {
    seen.time = time;
    seen.count = position.ofLastTime = 1;
    return true;
  }
  if (++position.ofLastTime <= seen.count) return false;
  seen.count = position.ofLastTime;
  return true;
}

function entryOf<T>(entries: Map<string, T>, key: string, make: () => T): T {
  let entry = entries.get(key);
  if (!entry) entries.set(key, entry = make());
  return entry;
}

/** Reports whether an RFC 3339 time in UTC is before another one, with any number of fraction digits. */
function isBefore(a: string, b: string): boolean {
  // Times from one server almost always have the same number of digits, so that texts can be compared.
  if (a.length === b.length) return a < b;
  const [secondsA, secondsB] = [a.slice(0, 19), b.slice(0, 19)];
  if (secondsA !== secondsB) return secondsA < secondsB;
  return fractionOf(a) < fractionOf(b);
}

function fractionOf(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0");
}

/** Splits a log line with time into the time and the text. */
export function splitTime(content: string): { time: string; text: string } {
  const length = timeLength(content, 0);
  return { time: content.slice(0, length), text: content.slice(textOffset(content, length, length)) };
}

/** Returns the length of an RFC 3339 time in UTC at an offset of a text; 0 without a time. */
export function timeLength(text: string, from: number): number {
  for (let index = 0; index < TIME_FORM.length; index++) {
    const code = text.charCodeAt(from + index);
    const wanted = TIME_FORM.charCodeAt(index);
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

/** Returns the offset of the text after the time, without the blank between them. */
export function textOffset(text: string, end: number, length: number): number {
  return length > 0 && text.charCodeAt(end) === BLANK ? end + 1 : end;
}

/** The format of a time up to its seconds, with zeros for digits. */
const TIME_FORM = "0000-00-00T00:00:00";
const [BLANK, POINT, ZERO, NINE, ZULU] = [0x20, 0x2e, 0x30, 0x39, 0x5a] as const;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
