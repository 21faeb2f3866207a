/** Formats durations, and how long ago a time is. */
import { humanizeDuration } from "@tiphys/base/go/duration";

const UNITS = [["d", 86_400], ["h", 3600], ["m", 60]] as const;

/** Formats milliseconds in the largest unit that fits: `0s`, `59s`, `3m`, `2h`, `21d`. */
export function shortDuration(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])}${unit[0]}` : `${seconds}s`;
}

/** Returns the time from start to finish, or until now; empty if there is no start. */
export function elapsed(startedAt: string | undefined, finishedAt: string | undefined, now: Date): string {
  if (!startedAt) return "";
  return shortDuration((finishedAt ? Date.parse(finishedAt) : now.getTime()) - Date.parse(startedAt));
}

/** Formats milliseconds in words: `1 minute 40 seconds`. */
export function durationInWords(millis: number): string {
  return humanizeDuration(BigInt(Math.max(0, Math.round(millis))) * 1_000_000n);
}

/** Formats the time from start to finish, or until now, in words. */
export function elapsedInWords(startedAt: string, finishedAt: string | undefined, now: Date): string {
  const millis = (finishedAt ? Date.parse(finishedAt) : now.getTime()) - Date.parse(startedAt);
  return durationInWords(millis);
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats a time in UTC, and how long ago it is: `Mon Jan 02 15:04:05 +0000 (2 hours ago)`. */
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

/** Formats seconds of use per resource: `1s*(1 cpu),3s*(100Mi memory)`. */
export function resourcesDurationText(durations: Readonly<Record<string, number>>): string {
  return Object.entries(durations).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([resource, seconds]) => `${seconds}s*(${baseUnit(resource)} ${resource})`).join(",");
}

function baseUnit(resource: string): string {
  if (resource === "memory") return "100Mi";
  return resource === "storage" || resource === "ephemeral-storage" ? "10Gi" : "1";
}
