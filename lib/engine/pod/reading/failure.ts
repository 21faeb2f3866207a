/** Finds the root cause among all failures of a failed pod. */
import type { ContainerStateTerminated, ContainerStatus, NodePhase, Pod, Template } from "@tiphys/model/api";
import { CONTAINER, PATH, VOLUME } from "@tiphys/base/constants";
import { isArtifactPlugin, isAux } from "@tiphys/model/container_names";
import { parseTerminationMessage } from "@tiphys/model/parse_termination_message";
import { isExecutorInit } from "./is_executor_init.ts";
import { isInitless } from "./is_initless.ts";
import { isSingleContainer } from "./is_single_container.ts";
import { isMainName } from "../parts/template_containers.ts";

/** The phase and the message with which the node of a failed pod ends. */
export interface Failure {
  readonly phase: NodePhase;
  readonly message: string;
}

/** 128 + SIGKILL and 128 + SIGTERM: the exit codes of sidecars that the executor stops. */
const STOP_EXIT_CODES: readonly number[] = [137, 143];

/** The reason of a container that the kernel killed because it was out of memory, also with the exit code 137. */
const OUT_OF_MEMORY = "OOMKilled";

/** Returns the cause of a pod's failure. A pod can be Failed although all relevant containers succeeded. */
export function failureOf(pod: Pod, template: Template | undefined): Failure {
  const { status, metadata } = pod;
  if (status?.message) return { phase: "Failed", message: status.message };
  const deadline = deadlineOf(pod);
  if (deadline) return { phase: "Failed", message: deadline };
  const statuses = byLikelyCause(pod, template);
  if (!statuses.length) {
    return {
      phase: "Failed",
      message: `can't find failed message for pod ${metadata.name} namespace ${metadata.namespace}`,
    };
  }
  for (const container of statuses) {
    const failure = failureOfContainer(container, pod, template);
    if (failure) return failure;
  }
  return failureWithoutCause(pod, statuses, template);
}

/** The message, in the kubelet's form, of an executor that stopped main at its deadline; undefined otherwise. */
function deadlineOf(pod: Pod): string | undefined {
  const { status } = pod;
  for (const { name, state } of [...status?.initContainerStatuses ?? [], ...status?.containerStatuses ?? []]) {
    if (!isExecutorInit(name, pod) && !isAux(name)) continue;
    const message = parseTerminationMessage(state?.terminated?.message);
    if (message?.stage === "deadline") return message.cause;
  }
}

/** `<container>: <reason> (exit code <n>)[: <termination message>]`, with a hint for known causes. */
export function endMessage(name: string, end: ContainerStateTerminated, pod: Pod): string {
  const text = parseTerminationMessage(end.message)?.cause ?? end.message;
  const message = `${name}: ${end.reason ?? ""} (exit code ${end.exitCode})${text ? `: ${text}` : ""}`;
  if (lacksArgoexec(end, pod)) return `${message}; ${imageVolumeHint(pod)}`;
  const crash = CRASHES.get(end.exitCode);
  if (crash && !text && (isExecutorInit(name, pod) || isAux(name))) {
    return `${message}; the executor crashed with ${crash}, which is not a failure of the step: retry it`;
  }
  return end.exitCode !== 0 && !text && hasNul(name, pod) ? `${message}; ${NUL_HINT}` : message;
}

/** Exit codes of crashed programs: 128 + signal. An abort of the first process of a container is a SIGSEGV. */
const CRASHES: ReadonlyMap<number, string> = new Map([
  [132, "SIGILL"],
  [133, "SIGTRAP"],
  [134, "SIGABRT"],
  [135, "SIGBUS"],
  [139, "SIGSEGV"],
]);

const NUL_HINT = "its command, arguments or environment contain a NUL character, so no program can be started";

/**
 * Whether a command, argument or variable of a container has a NUL character: runtimes fail, some without a message.
 */
function hasNul(name: string, { spec }: Pod): boolean {
  const { command = [], args = [], env = [] } = spec?.containers.find((container) => container.name === name) ?? {};
  return [...command, ...args, ...env.map(({ value }) => value)].some((text) => text?.includes("\0"));
}

/** Whether argoexec is missing: runtimes without image volumes mount an empty or non-executable folder instead. */
function lacksArgoexec(end: ContainerStateTerminated, pod: Pod): boolean {
  return isNotStarted(end) && end.message?.includes(PATH.argoexec) === true && isInitless(pod);
}

/** Whether the runtime failed to start a container's first process, according to its reason. */
function isNotStarted(end: ContainerStateTerminated | undefined): boolean {
  return end?.reason === "StartError" || end?.reason === "ContainerCannotRun";
}

function imageVolumeHint({ spec }: Pod): string {
  const node = spec.nodeName ?? "unknown";
  return `the image volume ${VOLUME.argoexecBin} contains no argoexec that can run on node ${node}: ` +
    "its container runtime does not support image volumes (KEP-4639)";
}

/**
 * The failure of a running pod in which main or the executor's container could not be started; undefined for other
 * pods. No process in the pod is notified of it, so the other containers would wait for two minutes, or forever.
 */
export function startFailureOf(pod: Pod, template: Template | undefined): Failure | undefined {
  const unstarted = pod.status?.containerStatuses?.find(({ name, state }) =>
    (isMainName(name, template) || isAux(name)) && isNotStarted(state?.terminated)
  );
  return unstarted && failureOfContainer(unstarted, pod, template);
}

function failureOfContainer(
  { name, state }: ContainerStatus,
  pod: Pod,
  template: Template | undefined,
): Failure | undefined {
  if (state?.waiting) {
    const { reason = "", message = "" } = state.waiting;
    return { phase: "Error", message: `Pod failed before ${name} container starts due to ${reason}: ${message}` };
  }
  const end = state?.terminated;
  if (!end || end.exitCode === 0) return undefined;
  const message = endMessage(name, end, pod);
  if (isExecutorInit(name, pod) || isAux(name)) return { phase: "Error", message };
  if (isMainName(name, template)) return { phase: "Failed", message };
  // An artifact plugin that fails before everything is loaded and saved fails the aux container, which reports it.
  const isStopped = STOP_EXIT_CODES.includes(end.exitCode) && end.reason !== OUT_OF_MEMORY;
  const isHarmless = isStopped || isArtifactPlugin(name);
  return isHarmless ? undefined : { phase: "Failed", message };
}

/**
 * Init containers first, then main, the aux container, and all others. The supervisor comes before main only if main
 * reports that it never ran: then the supervisor has the cause.
 */
function byLikelyCause({ status }: Pod, template: Template | undefined): ContainerStatus[] {
  const containers = status?.containerStatuses ?? [];
  const supervisor = containers.find(({ name }) => name === CONTAINER.supervisor);
  const preMainFailed = containers.some(({ name, state }) =>
    isMainName(name, template) && hasTimedOutWaiting(state?.terminated) && hasFailed(supervisor)
  );
  const rank = (name: string) => {
    if (name === CONTAINER.supervisor) return preMainFailed ? 0 : 2;
    if (isMainName(name, template)) return 1;
    return name === CONTAINER.wait ? 2 : 3;
  };
  return [...status?.initContainerStatuses ?? [], ...containers.toSorted((a, b) => rank(a.name) - rank(b.name))];
}

/** Whether the emissary timed out waiting for READY. A user's command with the same exit code has no such message. */
function hasTimedOutWaiting(end: ContainerStateTerminated | undefined): boolean {
  return parseTerminationMessage(end?.message)?.stage === "wait";
}

function hasFailed(container: ContainerStatus | undefined): boolean {
  const end = container?.state?.terminated;
  return end !== undefined && end.exitCode !== 0;
}

function failureWithoutCause(pod: Pod, statuses: ContainerStatus[], template: Template | undefined): Failure {
  const hasSucceeded = (test: (name: string) => boolean) =>
    statuses.some(({ name, state }) => test(name) && state?.terminated?.exitCode === 0);
  const main = hasSucceeded((name) => isMainName(name, template));
  const aux = hasSucceeded(isAux);
  if (main && (aux || isSingleContainer(pod))) return { phase: "Succeeded", message: "" };
  const disruption = pod.status?.conditions?.find(({ type, status }) =>
    type === "DisruptionTarget" && status === "True"
  );
  if (disruption?.message) return { phase: "Failed", message: `pod failed: ${disruption.message}` };
  const auxName = auxNameOf(pod);
  if (main) return { phase: "Failed", message: `pod failed: ${auxName} container did not complete successfully` };
  if (aux) return { phase: "Failed", message: "pod failed: main container did not complete successfully" };
  return { phase: "Failed", message: `pod failed: neither main nor ${auxName} container completed successfully` };
}

/** The name of the pod's aux container. For pods without one, it is `wait`, as in Argo. */
export function auxNameOf(pod: Pod): string {
  const names = [...pod.spec?.containers ?? [], ...pod.status?.containerStatuses ?? []].map(({ name }) => name);
  return names.includes(CONTAINER.wait) || !names.includes(CONTAINER.supervisor)
    ? CONTAINER.wait
    : CONTAINER.supervisor;
}
