/**
 * The deadline of a pod: its aux container keeps the limit, so that what main leaves is saved; behind it stands the
 * kubelet.
 */
import type { PodContainer } from "@tiphys/model/api";
import { DEFAULT_GRACE_SECONDS, ENV } from "@tiphys/base/constants";
import { PodBuildError, type PodRequest } from "../request.ts";

/** The time for saving main's outputs, once it has ended. */
const REPORT_SECONDS = 60;

/** The largest limit that the API server takes. */
export const LONGEST_SECONDS = 2 ** 31 - 1;

/**
 * Seconds the pod may be active; undefined without end. A person who holds a container needs all the time there is.
 * @throws {PodBuildError} in the API server's words for what it would refuse: as its own limit is a longer one, it would not.
 */
export function activeLimit(request: PodRequest, mains: readonly PodContainer[]): number | undefined {
  const limit = mains.some(pausesForDebugging) ? undefined : request.activeDeadlineSeconds;
  if (limit === undefined || (limit >= 1 && limit <= LONGEST_SECONDS)) return limit;
  const rule = `must be between 1 and ${LONGEST_SECONDS}, inclusive`;
  throw new PodBuildError(
    `Pod "${request.podName}" is invalid: spec.activeDeadlineSeconds: Invalid value: ${limit}: ${rule}`,
  );
}

/**
 * The seconds after which the kubelet kills the pod: the limit itself only where no container of the pod enforces it.
 */
export function kubeletLimit(limit: number | undefined, hasAux: boolean): number | undefined {
  if (limit === undefined || !hasAux) return limit;
  return Math.min(limit + DEFAULT_GRACE_SECONDS + REPORT_SECONDS, LONGEST_SECONDS);
}

function pausesForDebugging({ env = [] }: PodContainer): boolean {
  return env.some(({ name }) => name === ENV.pauseBefore || name === ENV.pauseAfter);
}
