/** Moments as a status holds them. */

/** A moment as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
export function timeText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/** Milliseconds since 1970 of an RFC 3339 text; NaN where there is none. */
export function millisOf(time: string | undefined): number {
  return time ? Date.parse(time) : NaN;
}

/** Seconds between two RFC 3339 times, as a float; 0 where one is missing. */
export function secondsBetween(start: string | undefined, end: string | undefined): number {
  const seconds = (millisOf(end) - millisOf(start)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
