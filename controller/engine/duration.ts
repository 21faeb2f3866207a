import { parseDuration } from "../../lib/go/mod.ts";

/**
 * Milliseconds of a duration as Argo writes it in timeouts, backoffs and delays: a bare integer is seconds, else a Go
 * duration.
 * @throws {Error} when it is neither.
 */
export function argoDurationMillis(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text) * 1000;
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    throw new Error(`unable to parse ${text} as a duration: ${(error as Error).message}`);
  }
}

/** A duration for people, in the words of Argo's messages: `1 hours 2 minutes 3 seconds`. */
export function humanDuration(millis: number): string {
  const total = Math.round(millis / 1000);
  const parts: string[] = [];
  const units = [["days", 86_400], ["hours", 3_600], ["minutes", 60], ["seconds", 1]] as const;
  let rest = total;
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || (unit === "seconds" && parts.length === 0)) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}
