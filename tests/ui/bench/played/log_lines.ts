/** Generated logs: a complete one, and one that grows while it is followed. */
import type { Pieces } from "./streams.ts";

const encoder = new TextEncoder();
const FILLING = "of the log of a loop that tells what it does ".repeat(3);
const LINE_BYTES = 120;
const AT_ONCE = 1_000;
const FIRST_TIME = Date.parse("2026-01-01T00:00:00Z");

/** Lines of 120 bytes, in large chunks. Cheap to generate, so that the measurement is that of the page. */
export async function* wholeLog(count: number, withTimes: boolean): Pieces {
  for (let from = 0; from < count; from += AT_ONCE) {
    yield await Promise.resolve(linesOf(from, Math.min(count, from + AT_ONCE), FIRST_TIME, 1, withTimes));
  }
}

/** Lines per second of a followed log. */
export const LINES_A_SECOND = 10_000;
const MILLIS_A_PIECE = 20;

/** A log that starts to grow when it is first read. */
export class FollowedLog {
  readonly #count: number;
  #began: number | undefined;

  constructor(seconds: number) {
    this.#count = seconds * LINES_A_SECOND;
  }

  /** The time of the first line, in milliseconds since the epoch; undefined before the first read. */
  get began(): number | undefined {
    return this.#began;
  }

  /** Yields the lines since a time, then new lines as they are written. Ends after the last one. */
  async *read(sinceTime: string | null, withTimes: boolean, signal: AbortSignal): Pieces {
    this.#began ??= Date.now();
    const perMilli = LINES_A_SECOND / 1000;
    const since = sinceTime === null ? 0 : Math.ceil((Date.parse(sinceTime) - this.#began) * perMilli);
    let next = Math.max(0, since);
    while (next < this.#count && !signal.aborted) {
      const written = Math.min(this.#count, Math.floor((Date.now() - this.#began) * perMilli));
      // A late reader also receives the existing lines in chunks.
      const to = Math.min(written, next + AT_ONCE);
      if (to > next) yield linesOf(next, to, this.#began, 1 / perMilli, withTimes);
      next = Math.max(next, to);
      if (next === written) await new Promise((resolve) => setTimeout(resolve, MILLIS_A_PIECE));
    }
  }
}

function linesOf(from: number, to: number, first: number, millisALine: number, withTimes: boolean) {
  let text = "";
  for (let index = from; index < to; index++) {
    const own = `${withTimes ? `${timeOf(first + index * millisALine)} ` : ""}line ${index} `;
    text += `data: {"result":{"content":"${own}${FILLING.slice(0, LINE_BYTES - own.length)}","podName":"pod"}}\n\n`;
  }
  return encoder.encode(text);
}

let second = { start: NaN, text: "" };

/** RFC 3339 with nanoseconds. The text of the current second is cached, because lines are in order. */
function timeOf(millis: number): string {
  const start = Math.floor(millis / 1000) * 1000;
  if (second.start !== start) {
    second = { start, text: new Date(start).toISOString().slice(0, "2026-01-01T00:00:00.".length) };
  }
  const micros = Math.round((millis - start) * 1000);
  return `${second.text}${String(micros).padStart(6, "0")}000Z`;
}
