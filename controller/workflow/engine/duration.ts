import { humanizeDuration, MILLISECOND, parseArgoDuration } from "../../../lib/go/mod.ts";

/**
 * Milliseconds of a duration as Argo writes it in timeouts, backoffs and delays: a bare integer is seconds, else a Go
 * duration.
 * @throws {DurationError} when it is neither.
 */
export function argoDurationMillis(text: string): number {
  return Number(parseArgoDuration(text)) / Number(MILLISECOND);
}

/** A duration for people, in the words of Argo's messages. */
export function humanDuration(millis: number): string {
  return humanizeDuration(BigInt(Math.round(millis)) * MILLISECOND);
}
