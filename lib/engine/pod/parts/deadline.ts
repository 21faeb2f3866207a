/**
 * The deadline of a pod. The aux container enforces it, so that main's outputs are saved; the kubelet enforces a later
 * limit as a fallback.
 */
import type { PodContainer } from "@tiphys/model/api";
import { DEFAULT_GRACE_SECONDS, ENV } from "@tiphys/base/constants";
import { PodBuildError, type PodRequest } from "../request.ts";

/** Seconds to save main's outputs after its end. */
const REPORT_SECONDS = 60;

/** The largest limit that the API server accepts, in seconds. */
export const MAX_ACTIVE_SECONDS = 2 ** 31 - 1;

/**
 * The time limit of the pod in seconds; undefined without one, and for a container that a user pauses for debugging.
 * @throws {PodBuildError} with the API server's message for an invalid limit, which the API server may not see because
 * the pod's own limit is longer.
 */
export function activeLimit(request: PodRequest, mains: readonly PodContainer[]): number | undefined {
  const limit = mains.some(pausesForDebugging) ? undefined : request.activeDeadlineSeconds;
  if (limit === undefined || (limit >= 1 && limit <= MAX_ACTIVE_SECONDS)) return limit;
  const rule = `must be between 1 and ${MAX_ACTIVE_SECONDS}, inclusive`;
  throw new PodBuildError(
    `Pod "${request.podName}" is invalid: spec.activeDeadlineSeconds: Invalid value: ${limit}: ${rule}`,
  );
}

/**
 * The seconds after which the kubelet kills the pod: the limit itself if no container of the pod enforces it.
 */
export function kubeletLimit(limit: number | undefined, hasAux: boolean): number | undefined {
  if (limit === undefined || !hasAux) return limit;
  return Math.min(limit + DEFAULT_GRACE_SECONDS + REPORT_SECONDS, MAX_ACTIVE_SECONDS);
}

function pausesForDebugging({ env = [] }: PodContainer): boolean {
  return env.some(({ name }) => name === ENV.pauseBefore || name === ENV.pauseAfter);
}
