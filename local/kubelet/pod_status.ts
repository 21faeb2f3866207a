/** Computes the status of a pod, as a kubelet reports it, from the states of its containers. Pure. */

import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodContainer,
  PodPhase,
  PodStatus,
} from "@tiphys/model/api";
import { IMAGE_STAND_IN } from "@tiphys/base/constants";
import type { PodAddress } from "./volumes/downward_api.ts";

/** The kubelet's record of one container. */
export interface ContainerRecord {
  readonly spec: PodContainer;
  readonly kind: "init" | "main";
  readonly state: ContainerState;
  readonly lastState?: ContainerState;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly id?: string;
  /** Whether no further attempt follows. */
  readonly final: boolean;
}

/** The facts of a pod's status that do not come from its containers. */
export interface PodFacts {
  readonly startTime: string;
  readonly address: PodAddress;
  /** A failure that containers did not cause: an exceeded deadline, a shutdown, or an image that cannot be pulled. */
  readonly failure?: { readonly reason: string; readonly message?: string };
  /** Images that could not be pulled, and for which a stand-in is used. */
  readonly standIns?: readonly string[];
}

/** The status to report. `before` contains the times of conditions that did not change. */
export function podStatus(
  pod: Pod,
  records: readonly ContainerRecord[],
  facts: PodFacts,
  now: string,
): PodStatus {
  const inits = records.filter(({ kind }) => kind === "init");
  const mains = records.filter(({ kind }) => kind === "main");
  const phase = podPhase(records, facts);
  const { failure, address } = facts;
  return {
    phase,
    conditions: podConditions(pod, { inits, mains, phase, standIns: facts.standIns ?? [] }, now),
    ...(failure && phase === "Failed" && failure),
    hostIP: address.hostIP,
    podIP: address.podIP,
    podIPs: [{ ip: address.podIP }],
    startTime: facts.startTime,
    ...(inits.length > 0 && { initContainerStatuses: inits.map(containerStatus) }),
    containerStatuses: mains.toSorted(compareNames).map(containerStatus),
    qosClass: pod.status?.qosClass ?? "BestEffort",
  };
}

/** Sorts main containers by name, like kubelets: `kubectl get pods` shows the state of the first one. */
function compareNames(containerRecord: ContainerRecord, other: ContainerRecord): number {
  return containerRecord.spec.name < other.spec.name ? -1 : 1;
}

/**
 * Pending until every main container has started, then Running until all have ended finally. A pod is Failed if it
 * ended before all had started; it stays Pending if it was deleted before any had started.
 */
export function podPhase(records: readonly ContainerRecord[], { failure }: Pick<PodFacts, "failure">): PodPhase {
  const inits = records.filter(({ kind, spec }) => kind === "init" && spec.restartPolicy !== "Always");
  const mains = records.filter(({ kind }) => kind === "main");
  const running = records.some(({ state }) => state.running);
  if (failure && !running) return "Failed";
  if (inits.some(isFailed)) return "Failed";
  const unstarted = mains.filter(({ state, lastState }) => state.waiting && !lastState);
  const isActive = mains.some(({ final }) => !final);
  if (unstarted.length > 0) return isActive || unstarted.length === mains.length ? "Pending" : "Failed";
  if (isActive) return "Running";
  return mains.some(isFailed) ? "Failed" : "Succeeded";
}

function isFailed({ state, final }: ContainerRecord): boolean {
  return final && state.terminated !== undefined && state.terminated.exitCode !== 0;
}

function containerStatus({ spec, state, lastState, restartCount, ready, id }: ContainerRecord): ContainerStatus {
  return {
    name: spec.name,
    state,
    lastState: lastState ?? {},
    ready,
    started: state.running !== undefined,
    restartCount,
    image: spec.image ?? "",
    imageID: "",
    ...(id && { containerID: id }),
  };
}

function podConditions(
  pod: Pod,
  { inits, mains, phase, standIns }: {
    readonly inits: readonly ContainerRecord[];
    readonly mains: readonly ContainerRecord[];
    readonly phase: PodPhase;
    readonly standIns: readonly string[];
  },
  now: string,
): PodCondition[] {
  const initialized = inits.every(({ state, spec }) =>
    state.terminated?.exitCode === 0 || (spec.restartPolicy === "Always" && state.running)
  );
  const over = phase === "Succeeded" || phase === "Failed";
  const ready = !over && mains.every((record) => record.ready);
  const unready = mains.filter((record) => !record.ready).map(({ spec }) => spec.name).join(" ");
  const because = over
    ? { reason: phase === "Succeeded" ? "PodCompleted" : "PodFailed" }
    : { reason: "ContainersNotReady", message: `containers with unready status: [${unready}]` };
  const wanted: PodCondition[] = [
    { type: "PodScheduled", status: "True" },
    { type: "Initialized", status: initialized ? "True" : "False" },
    { type: "ContainersReady", status: ready ? "True" : "False", ...(!ready && because) },
    { type: "Ready", status: ready ? "True" : "False", ...(!ready && because) },
    ...standIns.length > 0
      ? [{ type: IMAGE_STAND_IN, status: "True" as const, reason: "RegistryUnreachable", message: standIns.join(", ") }]
      : [],
  ];
  return wanted.map((condition) => {
    const before = pod.status?.conditions?.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime ?? now : now;
    return { ...condition, lastTransitionTime };
  });
}
