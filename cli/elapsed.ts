/** Times for people. */
import { humanizeDuration } from "../lib/go/mod.ts";

const UNITS = [["w", 604_800], ["d", 86_400], ["h", 3600], ["m", 60]] as const;

/** Milliseconds in the largest unit that fits: `0s`, `59s`, `3m`, `2h`, `6d`, `3w`. */
export function shortDuration(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])}${unit[0]}` : `${seconds}s`;
}

/** The time from start to finish, or until now; empty for what did not start. */
export function elapsed(startedAt: string | undefined, finishedAt: string | undefined, now: Date): string {
  if (!startedAt) return "";
  return shortDuration((finishedAt ? Date.parse(finishedAt) : now.getTime()) - Date.parse(startedAt));
}

/** The same in words: `1 minute 5 seconds`. */
export function elapsedInWords(startedAt: string, finishedAt: string | undefined, now: Date): string {
  const millis = (finishedAt ? Date.parse(finishedAt) : now.getTime()) - Date.parse(startedAt);
  return humanizeDuration(BigInt(Math.max(0, millis)) * 1_000_000n);
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A moment in UTC, and how long ago it is: `Mon Jan 02 15:04:05 +0000 (2 hours ago)`. */
export function timestamp(time: string, now: Date): string {
  const moment = new Date(time);
  const day = `${DAYS[moment.getUTCDay()]} ${MONTHS[moment.getUTCMonth()]} ${
    String(moment.getUTCDate()).padStart(2, "0")
  }`;
  const millis = now.getTime() - moment.getTime();
  const ago = Math.abs(millis) < 1000
    ? "now"
    : `${humanizeDuration(BigInt(Math.round(Math.abs(millis))) * 1_000_000n, true)} ${millis > 0 ? "ago" : "from now"}`;
  return `${day} ${moment.toISOString().slice(11, 19)} +0000 (${ago})`;
}

const AGE = /^(\d+)(mo|[smhdwy])$/;
const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mo: 30 * 86_400,
  y: 365 * 86_400,
};

/** Milliseconds of an age such as `10m`, `3h`, `1d`; undefined when it is none. */
export function parseAge(text: string): number | undefined {
  let total = 0;
  let rest = text;
  while (rest !== "") {
    const part = /^\d+(?:mo|[smhdwy])/.exec(rest)?.[0];
    const match = part && AGE.exec(part);
    if (!part || !match) return undefined;
    total += Number(match[1]) * SECONDS[match[2]] * 1000;
    rest = rest.slice(part.length);
  }
  return text === "" ? undefined : total;
}
