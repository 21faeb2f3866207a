import type { WorkflowSpec } from "../api/mod.ts";
import { DurationError, parseArgoDuration } from "../go/duration.ts";

/**
 * How long after its end the workflow lets a pod stay, nanoseconds; undefined where it does not say, or nobody can read it:
 * then the controller's setting counts, as it would be late to end the workflow for that.
 */
export function podGcDelay(podGC: WorkflowSpec["podGC"]): bigint | undefined {
  const text = podGC?.deleteDelayDuration;
  if (!text) return undefined;
  try {
    const delay = parseArgoDuration(text);
    return delay < 0n ? undefined : delay;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    return undefined;
  }
}
