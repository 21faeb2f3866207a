/** Interpretation of a pod as facts about its node. Reads one pod and decides nothing about the workflow. */
import {
  type ContainerStatus,
  type NodePhase,
  type NodeStatus,
  type Pod,
  podProblem,
  type Template,
} from "@tiphys/model/api";
import { CONTAINER, EXIT } from "@tiphys/base/constants";
import { isCompleted } from "@tiphys/model/status";
import { auxNameOf, endMessage, failureOf, startFailureOf } from "./failure.ts";

/** The state of a container that has its own node (a member of a container set). */
export interface ContainerFacts {
  readonly name: string;
  readonly phase: NodePhase;
  readonly message?: string;
}

/** The facts about a pod. For an undefined field, the node keeps its value. */
export interface PodFacts {
  /** Undefined if the phase does not change, as for a daemon that is not ready. */
  readonly phase?: NodePhase;
  /** An empty string removes an earlier message. */
  readonly message?: string;
  readonly hostNodeName?: string;
  /** Set only for daemons. */
  readonly podIP?: string;
  /** True once a daemon is ready; undefined for everything else. */
  readonly daemoned?: boolean;
  /** Main's exit code in the format of outputs. */
  readonly exitCode?: string;
  /** The latest end of a container; undefined while one runs. */
  readonly finishedAt?: string;
  /** The aux container is running: outputs may follow, so success is not final yet. */
  readonly isAuxRunning: boolean;
  /** No container will report: the task result counts as complete. */
  readonly hasAuxFailed: boolean;
  /** Members of a container set. */
  readonly containers?: readonly ContainerFacts[];
}

/** Derives facts about a node from its pod. Without a template, the container named `main` is main. */
export function interpretPod(pod: Pod, node: NodeStatus, template?: Template): PodFacts {
  const statuses = pod.status?.containerStatuses ?? [];
  const aux = statuses.find(({ name }) => name === auxNameOf(pod))?.state;
  // A pod that was ended before its aux container will not complete its task result.
  const wasEndedBeforeAux = pod.status?.phase === "Failed" && (aux ? !aux.terminated : pod.status.reason === "Evicted");
  const startFailure = pod.status?.phase === "Running" ? startFailureOf(pod, template) : undefined;
  return {
    ...(startFailure ?? phaseOf(pod, node, template)),
    hostNodeName: pod.spec?.nodeName,
    exitCode: exitCodeOf(statuses),
    finishedAt: latestEnd(pod),
    isAuxRunning: aux?.running !== undefined && !startFailure,
    hasAuxFailed: startFailure !== undefined || wasEndedBeforeAux || (aux?.terminated?.exitCode ?? 0) !== 0,
    containers: template?.containerSet ? memberFacts(pod, template) : undefined,
  };
}

function phaseOf(
  pod: Pod,
  node: NodeStatus,
  template?: Template,
): Pick<PodFacts, "phase" | "message" | "daemoned" | "podIP"> {
  switch (pod.status?.phase) {
    case "Pending":
    case undefined:
      return { phase: "Pending", message: pendingMessage(pod) };
    case "Succeeded":
      return template?.daemon ? { phase: "Failed", message: DAEMON_ENDED } : { phase: "Succeeded" };
    case "Failed": {
      const { phase, message } = failureOf(pod, template);
      return { phase, message };
    }
    case "Running":
      return template?.daemon ? daemonPhase(pod, node) : { phase: "Running" };
    default:
      return {
        phase: "Error",
        message: podProblem(pod) ?? `Unexpected pod phase for ${pod.metadata.name}: ${pod.status?.phase}`,
      };
  }
}

/** The message of a daemon whose containers succeeded: a daemon must run until the template ends that it serves. */
const DAEMON_ENDED = "daemon exited (exit code 0)";

/** A daemon counts as running once every container is ready. Only then may dependent nodes start. */
function daemonPhase(pod: Pod, node: NodeStatus): Pick<PodFacts, "phase" | "daemoned" | "podIP"> {
  if (isCompleted(node)) return {};
  const statuses = pod.status?.containerStatuses ?? [];
  if (!statuses.length || statuses.some(({ ready }) => !ready)) return {};
  return { phase: "Running", daemoned: true, podIP: pod.status?.podIP };
}

/**
 * The reason why a pod does not run yet; empty if unknown. A container that is stuck takes precedence over those that
 * wait for it.
 */
export function pendingMessage({ status }: Pick<Pod, "status">): string {
  const states = [...status?.initContainerStatuses ?? [], ...status?.containerStatuses ?? []].map(({ state }) => state);
  const waits = states.flatMap((state) => state?.waiting ?? []);
  const waiting = waits.find(({ message }) => message) ?? waits.find(({ reason }) => reason !== "PodInitializing") ??
    waits[0];
  if (waiting) return waiting.message ? `${waiting.reason}: ${waiting.message}` : waiting.reason ?? "";
  const unschedulable = status?.conditions?.find(({ reason }) => reason === "Unschedulable");
  if (!unschedulable) return "";
  return unschedulable.message ? `Unschedulable: ${unschedulable.message}` : "Unschedulable";
}

function exitCodeOf(statuses: readonly ContainerStatus[]): string | undefined {
  const code = statuses.find(({ name }) => name === CONTAINER.main)?.state?.terminated?.exitCode;
  return code === undefined ? undefined : String(code);
}

function latestEnd({ status }: Pod): string | undefined {
  const states = [...status?.initContainerStatuses ?? [], ...status?.containerStatuses ?? []].map(({ state }) => state);
  if (states.some((state) => state?.running)) return undefined;
  const ends = states.flatMap((state) => state?.terminated?.finishedAt ?? []);
  return ends.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
}

function memberFacts(pod: Pod, template: Template): ContainerFacts[] {
  const statuses = pod.status?.containerStatuses ?? [];
  return template.containerSet!.containers.flatMap(({ name }) => {
    const state = statuses.find((status) => status.name === name)?.state;
    if (state?.terminated) {
      const { exitCode } = state.terminated;
      if (exitCode === 0) return { name, phase: "Succeeded" };
      const phase = exitCode === EXIT.executorError ? "Error" : "Failed";
      const message = endMessage(name, state.terminated, pod);
      // Argo writes the colon even without a message, and clients match it.
      return { name, phase, message: message.endsWith(`(exit code ${exitCode})`) ? `${message}: ` : message };
    }
    if (pod.status?.phase === "Failed") {
      return { name, phase: "Failed", message: "Pod Failed whilst container running" };
    }
    if (state?.waiting) return { name, phase: "Pending" };
    return state?.running ? { name, phase: "Running" } : [];
  });
}
