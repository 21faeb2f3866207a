/** Durations of templates and variables in milliseconds. The emissary loads this when it has to wait, not before. */
import { DurationError, MILLISECOND, parseArgoDuration } from "../../lib/go/duration.ts";

/** Milliseconds of `1m30s`, or of `90`, which is seconds; `otherwise` for what is neither, or absent. */
export function durationMillis(text: string | undefined, otherwise = 0): number {
  try {
    return Number(parseArgoDuration(text ?? "")) / Number(MILLISECOND);
  } catch (error) {
    if (error instanceof DurationError) return otherwise;
    throw error;
  }
}
