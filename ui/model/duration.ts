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

/** The manner in which a person wants moments told. */
export interface Manner {
  /** The zone; that of the browser where it is left out. */
  readonly zone?: string | undefined;
  /** As ISO 8601 everywhere, also where a moment is else seen from now. */
  readonly isIso: boolean;
}

let manner: Manner = { isIso: false };

/** Tells all moments in this manner from now on, where nobody names another zone. */
export function tellMoments(next: Manner): void {
  manner = next;
}

/** A moment of a list: seen from now, or as ISO 8601 for those who want it so. */
export function whenText(at: string | undefined, now: number): string {
  return manner.isIso ? isoText(at) : agoText(at, now);
}

/** Formats by what they are for: to make one takes milliseconds, and a page shows the same few again and again. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** The most that are kept: some for each zone that a page has named. */
const MOST_FORMATS = 50;

function formatOf(zone: string | undefined, locale: string | undefined, style: FormatStyle): Intl.DateTimeFormat {
  const key = `${style} ${locale ?? ""} ${zone ?? ""}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...STYLES[style], ...(zone ? { timeZone: zone } : {}) });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(key, format);
  }
  return format;
}

type FormatStyle = keyof typeof STYLES;

const STYLES = {
  long: { dateStyle: "medium", timeStyle: "long" },
  short: { dateStyle: "medium", timeStyle: "short" },
  parts: {
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

interface TellOptions {
  readonly zone?: string;
  readonly locale?: string;
  /** Without seconds and without the name of the zone. */
  readonly isShort?: boolean;
}

/** A moment in the manner of the person, in their zone or another, which it names. */
export function momentText(at: string | undefined, { zone = manner.zone, locale, isShort = false }: TellOptions = {}) {
  const moment = Date.parse(at ?? "");
  if (Number.isNaN(moment)) return "";
  return manner.isIso ? isoText(at, zone) : formatOf(zone, locale, isShort ? "short" : "long").format(moment);
}

/** A moment as ISO 8601 with seconds and the offset of a zone: `2026-03-28T13:00:00+01:00`. */
export function isoText(at: string | undefined, zone: string | undefined = manner.zone): string {
  const moment = Date.parse(at ?? "");
  if (Number.isNaN(moment)) return "";
  const offset = offsetAt(moment, zone);
  const local = new Date(moment + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** How far the clocks of a zone are ahead at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string | undefined): number {
  const parts = formatOf(zone, "en", "parts").formatToParts(moment);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const [year, month, day] = [value("year"), value("month"), value("day")];
  const local = Date.UTC(year, month - 1, day, value("hour"), value("minute"), value("second"));
  return local - Math.floor(moment / SECOND) * SECOND;
}

/** The moment that a clock of the person's zone shows so: `2026-03-28T13:00`, or a date alone; undefined for any other text. */
export function momentShown(text: string, zone: string | undefined = manner.zone): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text)) return undefined;
  const local = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  if (Number.isNaN(local)) return undefined;
  // The offset of the moment is that of a moment near it, but for the hours in which clocks change.
  const near = local - offsetAt(local, zone);
  return new Date(local - offsetAt(near, zone)).toISOString();
}

/** Whether the browser knows a zone of that name. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone !== "";
  } catch {
    return false;
  }
}

/** The zone in which moments are told where nobody names another. */
export function usualZone(): string {
  return manner.zone ?? browserZone();
}

/** The zone of the browser. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
