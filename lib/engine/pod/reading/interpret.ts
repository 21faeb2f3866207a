/** The interpretation of a pod: what it says about its node. Reads one pod, decides nothing about the workflow. */
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

/** The state of one container that has a node of its own (a member of a container set). */
export interface ContainerFacts {
  readonly name: string;
  readonly phase: NodePhase;
  readonly message?: string;
}

/** The facts about one pod. A field that is undefined leaves the node's own value as it is. */
export interface PodFacts {
  /** Undefined while the pod says nothing new: a daemon that is not ready. */
  readonly phase?: NodePhase;
  /** An empty text takes an earlier message away. */
  readonly message?: string;
  readonly hostNodeName?: string;
  /** Of daemons only. */
  readonly podIP?: string;
  /** True once a daemon is ready; undefined for everything else. */
  readonly daemoned?: boolean;
  /** Main's exit code, as outputs carry it. */
  readonly exitCode?: string;
  /** The latest end of a container; undefined while one runs. */
  readonly finishedAt?: string;
  /** The aux container still works: outputs may come, so a good end is not final yet. */
  readonly auxRunning: boolean;
  /** No container will report any more: the task result counts as complete. */
  readonly auxFailed: boolean;
  /** Members of a container set. */
  readonly containers?: readonly ContainerFacts[];
}

/** Reads a pod into facts about its node. The template may be unknown; then the container called main is main. */
export function interpretPod(pod: Pod, node: NodeStatus, template?: Template): PodFacts {
  const statuses = pod.status?.containerStatuses ?? [];
  const aux = statuses.find(({ name }) => name === auxNameOf(pod))?.state;
  // A pod that was ended before its aux container had ended will send no report.
  const isCutOff = pod.status?.phase === "Failed" && (aux ? !aux.terminated : pod.status.reason === "Evicted");
  const stillborn = pod.status?.phase === "Running" ? startFailureOf(pod, template) : undefined;
  return {
    ...(stillborn ?? phaseOf(pod, node, template)),
    hostNodeName: pod.spec?.nodeName,
    exitCode: exitCodeOf(statuses),
    finishedAt: latestEnd(pod),
    auxRunning: aux?.running !== undefined && !stillborn,
    auxFailed: stillborn !== undefined || isCutOff || (aux?.terminated?.exitCode ?? 0) !== 0,
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

/** The message of a daemon whose containers ended well: a daemon runs until the template ends that it serves. */
const DAEMON_ENDED = "daemon exited (exit code 0)";

/** A daemon counts as running when every container is ready, and only then may others go on. */
function daemonPhase(pod: Pod, node: NodeStatus): Pick<PodFacts, "phase" | "daemoned" | "podIP"> {
  if (isCompleted(node)) return {};
  const statuses = pod.status?.containerStatuses ?? [];
  if (!statuses.length || statuses.some(({ ready }) => !ready)) return {};
  return { phase: "Running", daemoned: true, podIP: pod.status?.podIP };
}

/**
 * The reason why a pod does not run yet; empty when none is known. A container that only waits for its turn says
 * nothing; the one that is stuck does.
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
      // Argo writes the colon of a message that is not there, and clients match it.
      return { name, phase, message: message.endsWith(`(exit code ${exitCode})`) ? `${message}: ` : message };
    }
    if (pod.status?.phase === "Failed") {
      return { name, phase: "Failed", message: "Pod Failed whilst container running" };
    }
    if (state?.waiting) return { name, phase: "Pending" };
    return state?.running ? { name, phase: "Running" } : [];
  });
}
