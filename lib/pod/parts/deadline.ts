/**
 * The deadline of a pod: its aux container keeps the limit, so that what main leaves is saved; behind it stands the
 * kubelet.
 */
import type { PodContainer } from "../../api/mod.ts";
import { DEFAULT_GRACE_SECONDS, ENV } from "../../constants.ts";
import type { PodRequest } from "../request.ts";

/** The time for saving main's outputs, once it has ended. */
const REPORT_SECONDS = 60;

/** Seconds the pod may be active; undefined without end. A person who holds a container needs all the time there is. */
export function activeLimit(request: PodRequest, mains: readonly PodContainer[]): number | undefined {
  return mains.some(pausesForDebugging) ? undefined : request.activeDeadlineSeconds;
}

/**
 * The seconds after which the kubelet kills the pod: the limit itself only where no container of the pod enforces it.
 */
export function kubeletLimit(limit: number | undefined, hasAux: boolean): number | undefined {
  return limit === undefined || !hasAux ? limit : limit + DEFAULT_GRACE_SECONDS + REPORT_SECONDS;
}

function pausesForDebugging({ env = [] }: PodContainer): boolean {
  return env.some(({ name }) => name === ENV.pauseBefore || name === ENV.pauseAfter);
}
