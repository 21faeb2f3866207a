/** Durations of templates, as far as they are known. */
import { DurationError, MILLISECOND, parseArgoDuration } from "@tiphys/base/go";

/** Milliseconds of a duration; NaN for one that cannot be read, as one with tags. */
export function millisIn(text: string): number {
  try {
    return Number(parseArgoDuration(text)) / Number(MILLISECOND);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return NaN;
  }
}
