/** Times and durations in readable form. */
import * as words from "./text/en/shared.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration with its two largest units: `3m 12s`, `2d 4h`; below ten seconds with tenths if known. */
export function durationText(millis: number): string {
  if (!Number.isFinite(millis)) return "";
  const whole = Math.max(0, millis);
  if (whole < 10 * SECOND && whole % SECOND !== 0) return `${(Math.floor(whole / 100) / 10).toFixed(1)}s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)}s`;
  if (whole < HOUR) return twoUnitsText(whole, MINUTE, "m", SECOND, "s");
  if (whole < DAY) return twoUnitsText(whole, HOUR, "h", MINUTE, "m");
  return twoUnitsText(whole, DAY, "d", HOUR, "h");
}

function twoUnitsText(millis: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((millis % large) / small);
  const first = `${Math.floor(millis / large)}${largeUnit}`;
  return rest === 0 ? first : `${first} ${rest}${smallUnit}`;
}

/** Returns the time from a start to an end, or to now; undefined without a start. */
export function elapsedMillis(
  startedAt: string | undefined,
  finishedAt: string | undefined,
  now: number,
): number | undefined {
  const start = Date.parse(startedAt ?? "");
  if (Number.isNaN(start)) return undefined;
  const end = Date.parse(finishedAt ?? "");
  return Math.max(0, (Number.isNaN(end) ? now : end) - start);
}

/** Formats a time relative to now: `3m ago`, `in 2h`. */
export function agoText(time: string | undefined, now: number): string {
  const moment = Date.parse(time ?? "");
  if (Number.isNaN(moment)) return "";
  const away = now - moment;
  if (Math.abs(away) < SECOND) return words.now;
  const [size = ""] = durationText(Math.floor(Math.abs(away) / SECOND) * SECOND).split(" ");
  return (away > 0 ? words.ago : words.ahead)(size);
}

/** The user's settings for times. */
export interface TimeSettings {
  /** The time zone; by default that of the browser. */
  readonly zone?: string | undefined;
  /** Show all times as ISO 8601, also those that would otherwise be relative to now. */
  readonly isIso: boolean;
}

let timeSettings: TimeSettings = { isIso: false };

/** Applies settings to all times that are formatted afterwards without a zone. */
export function setTimeSettings(next: TimeSettings): void {
  timeSettings = next;
}

/** Formats a time in a list: relative to now, or as ISO 8601, depending on the settings. */
export function whenText(time: string | undefined, now: number): string {
  return timeSettings.isIso ? isoText(time) : agoText(time, now);
}

/** Cached formats, because creating one takes milliseconds and a page uses the same few repeatedly. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** The size of the cache: some formats for each zone that a page has used. */
const MAX_FORMATS = 50;

function formatOf(zone: string | undefined, locale: string | undefined, style: FormatStyle): Intl.DateTimeFormat {
  const key = `${style} ${locale ?? ""} ${zone ?? ""}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...STYLES[style], ...(zone ? { timeZone: zone } : {}) });
    if (formats.size >= MAX_FORMATS) formats.clear();
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

interface MomentOptions {
  readonly zone?: string;
  readonly locale?: string;
  /** Without seconds and zone name. */
  readonly isShort?: boolean;
}

/** Formats a time in the user's zone or another one, with the name of the zone. */
export function momentText(
  time: string | undefined,
  { zone = timeSettings.zone, locale, isShort = false }: MomentOptions = {},
) {
  const moment = Date.parse(time ?? "");
  if (Number.isNaN(moment)) return "";
  return timeSettings.isIso ? isoText(time, zone) : formatOf(zone, locale, isShort ? "short" : "long").format(moment);
}

/** Formats a time as ISO 8601 with seconds and the offset of a zone: `2026-03-28T13:00:00+01:00`. */
export function isoText(time: string | undefined, zone: string | undefined = timeSettings.zone): string {
  const moment = Date.parse(time ?? "");
  if (Number.isNaN(moment)) return "";
  const offset = offsetAt(moment, zone);
  const local = new Date(moment + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The UTC offset of a zone at a time, in milliseconds. */
function offsetAt(moment: number, zone: string | undefined): number {
  const parts = formatOf(zone, "en", "parts").formatToParts(moment);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const [year, month, day] = [value("year"), value("month"), value("day")];
  const local = Date.UTC(year, month - 1, day, value("hour"), value("minute"), value("second"));
  return local - Math.floor(moment / SECOND) * SECOND;
}

/** Parses a local time of the user's zone, such as `2026-03-28T13:00` or a date; returns undefined for other texts. */
export function parseLocalMoment(text: string, zone: string | undefined = timeSettings.zone): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text)) return undefined;
  const local = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  if (Number.isNaN(local)) return undefined;
  // The offset is that of a nearby time, except in the hours in which clocks change.
  const near = local - offsetAt(local, zone);
  return new Date(local - offsetAt(near, zone)).toISOString();
}

/** Reports whether the browser knows a time zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone !== "";
  } catch {
    return false;
  }
}

/** The time zone used for times without an explicit zone. */
export function defaultZone(): string {
  return timeSettings.zone ?? browserZone();
}

/** The time zone of the browser. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
