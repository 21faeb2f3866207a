/** Times in a status. */

/** Formats a time like Kubernetes: RFC 3339 in UTC, whole seconds. */
export function timeText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/** Parses an RFC 3339 time to milliseconds since the epoch; NaN if it is missing. */
export function millisOf(time: string | undefined): number {
  return time ? Date.parse(time) : NaN;
}

/** Returns the seconds between two RFC 3339 times as a float; 0 if one is missing. */
export function secondsBetween(start: string | undefined, end: string | undefined): number {
  const seconds = (millisOf(end) - millisOf(start)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
