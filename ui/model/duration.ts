/** Times and durations as people read them. */
import * as words from "./text/en/duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration with its two largest units: `3m 12s`, `2d 4h`; below ten seconds with a tenth where it is known. */
export function durationText(millis: number): string {
  if (!Number.isFinite(millis)) return "";
  const whole = Math.max(0, millis);
  if (whole < 10 * SECOND && whole % SECOND !== 0) return `${(Math.floor(whole / 100) / 10).toFixed(1)}s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)}s`;
  if (whole < HOUR) return pair(whole, MINUTE, "m", SECOND, "s");
  if (whole < DAY) return pair(whole, HOUR, "h", MINUTE, "m");
  return pair(whole, DAY, "d", HOUR, "h");
}

function pair(millis: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((millis % large) / small);
  const first = `${Math.floor(millis / large)}${largeUnit}`;
  return rest === 0 ? first : `${first} ${rest}${smallUnit}`;
}

/** The time from a start to an end, or until now; undefined for what has not started. */
export function elapsed(
  startedAt: string | undefined,
  finishedAt: string | undefined,
  now: number,
): number | undefined {
  const start = Date.parse(startedAt ?? "");
  if (Number.isNaN(start)) return undefined;
  const end = Date.parse(finishedAt ?? "");
  return Math.max(0, (Number.isNaN(end) ? now : end) - start);
}

/** A moment seen from now: `3m ago`, `in 2h`. */
export function agoText(at: string | undefined, now: number): string {
  const moment = Date.parse(at ?? "");
  if (Number.isNaN(moment)) return "";
  const away = now - moment;
  if (Math.abs(away) < SECOND) return words.now;
  const [size = ""] = durationText(Math.floor(Math.abs(away) / SECOND) * SECOND).split(" ");
  return (away > 0 ? words.ago : words.ahead)(size);
}

/** Formats by what they are for: to make one takes milliseconds, and a page shows the same few again and again. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** The most that are kept: one for each zone that a page has named. */
const MOST_FORMATS = 50;

/** A moment in the manner of the person, in their zone or another, which it names. */
export function momentText(at: string | undefined, { zone, locale }: { zone?: string; locale?: string } = {}): string {
  const moment = Date.parse(at ?? "");
  if (Number.isNaN(moment)) return "";
  const key = `${locale ?? ""} ${zone ?? ""}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, {
      dateStyle: "medium",
      timeStyle: "long",
      ...(zone ? { timeZone: zone } : {}),
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(key, format);
  }
  return format.format(moment);
}
