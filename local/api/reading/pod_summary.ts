/** The status of a pod in one word, as in `kubectl get pods`. */

import type { ContainerState, ContainerStatus, Pod } from "@tiphys/model/api";
import { formatAge } from "./age.ts";

export interface PodSummary {
  readonly reason: string;
  /** The number of restarts of all containers and the age of the last one, as in kubectl: `3 (5m ago)`. */
  readonly restarts: string;
}

/** Summarizes a pod: the reason of a pending init container, otherwise of its containers, otherwise the phase. */
export function podSummary(pod: Pod, now: Date = new Date(0)): PodSummary {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const counted = [...initContainerStatuses, ...containerStatuses];
  return { reason: reasonOf(pod), restarts: restartsOf(counted, now) };
}

function reasonOf({ metadata, spec, status }: Pod): string {
  if (metadata?.deletionTimestamp) return "Terminating";
  const { phase = "Unknown", reason, initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const ended = phase === "Succeeded" || phase === "Failed";
  const waitsAt = ended ? -1 : initContainerStatuses.findIndex((status) => !isPassed(status));
  if (waitsAt >= 0) {
    const word = stateReason(initContainerStatuses[waitsAt]!.state);
    const isBusy = word === undefined || word === "PodInitializing";
    return `Init:${isBusy ? `${waitsAt}/${spec?.initContainers?.length ?? 0}` : word}`;
  }
  const words = containerStatuses.flatMap(({ state }) => stateReason(state) ?? []);
  const running = containerStatuses.filter(({ state }) => state?.running);
  // A completed container is ignored as long as another one is running.
  if (words[0] === "Completed" && running.length > 0) {
    return running.some(({ ready }) => ready) ? "Running" : "NotReady";
  }
  return words[0] ?? reason ?? phase;
}

function isPassed({ state, ready, started }: ContainerStatus): boolean {
  return state?.terminated?.exitCode === 0 || (state?.running !== undefined && (ready === true || started === true));
}

function stateReason(state: ContainerState | undefined): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  if (!state?.terminated) return undefined;
  const { reason, signal, exitCode } = state.terminated;
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function restartsOf(statuses: readonly ContainerStatus[], now: Date): string {
  const restarts = statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  const last = Math.max(...ends.map((time) => Date.parse(time)));
  return restarts > 0 && ends.length > 0 ? `${restarts} (${formatAge(now.getTime() - last)} ago)` : String(restarts);
}
