/** Durations of templates and variables, in milliseconds. The emissary imports this module only when it has to wait. */
import { DurationError, MILLISECOND, parseArgoDuration } from "@tiphys/base/go/duration";

/**
 * Converts `1m30s`, or a bare number of seconds such as `90`, to milliseconds. Returns `otherwise` for anything else.
 */
export function durationMillis(text: string | undefined, otherwise = 0): number {
  try {
    return Number(parseArgoDuration(text ?? "")) / Number(MILLISECOND);
  } catch (error) {
    if (error instanceof DurationError) return otherwise;
    throw error;
  }
}
