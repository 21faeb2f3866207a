/** The delay of `podGC`: the time between the end of a pod and its deletion. */
import type { WorkflowSpec } from "@tiphys/model/api";
import { DurationError, parseArgoDuration } from "@tiphys/base/go/duration";

/**
 * Returns the workflow's delay before a completed pod is deleted, in nanoseconds. Undefined if it is not set or invalid
 * (it is too late to fail the workflow for that): then the controller's setting applies.
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
