import { humanizeDuration, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";
import { UserError } from "@tiphys/base/user_error";

/**
 * Milliseconds of a duration as Argo writes it in timeouts, backoffs and delays: a bare integer is seconds, else a Go
 * duration.
 * @throws {DurationError} when it is neither.
 */
export function argoDurationMillis(text: string): number {
  return Number(parseArgoDuration(text)) / Number(MILLISECOND);
}

/**
 * Milliseconds of a template's `timeout` or `pendingTimeout`.
 * @throws {UserError} when it is no duration.
 */
export function timeoutMillis(text: string): number {
  try {
    return argoDurationMillis(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`invalid timeout format ${error.message}`);
  }
}

/** A duration for people, in the words of Argo's messages. */
export function humanDuration(millis: number): string {
  return humanizeDuration(BigInt(Math.round(millis)) * MILLISECOND);
}
