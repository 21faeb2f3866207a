/** The delay of `podGC`: how long after its end the workflow lets a pod stay, in nanoseconds. */
import type { WorkflowSpec } from "@tiphys/model/api";
import { DurationError, parseArgoDuration } from "@tiphys/base/go/duration";

/**
 * The nanoseconds for which the workflow lets a pod stay after its end. It is undefined where the workflow does not
 * say, or says it wrongly, as it would be too late to fail the workflow for that: then the controller's setting counts.
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
