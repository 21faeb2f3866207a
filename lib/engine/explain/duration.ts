/** Durations of templates. */
import { DurationError, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";

/** Milliseconds of a duration; NaN if it is invalid or has tags. */
export function durationMillis(text: string): number {
  try {
    return Number(parseArgoDuration(text)) / Number(MILLISECOND);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return NaN;
  }
}
