/** The state of nodes, derived from their pods. */
import type { NodeStatus, Pod, Template } from "@tiphys/model/api";
import { IMAGE_STAND_IN } from "@tiphys/base/constants";
import { interpretPod, isMainName, isSingleContainer, type PodFacts } from "../pod/mod.ts";
import {
  isCompleted,
  isCompletedPhase,
  isFailure,
  isOver,
  memberNodeName,
  millisOf,
  NO_PROGRESS,
  timeText,
} from "@tiphys/model/status";
import { retryStrategyOf } from "../templates/call.ts";
import { setCondition } from "../workflow/conditions.ts";
import { markContainersDeleted } from "../templates/container_set.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { isDeleting, wasDeletedBeforeStart } from "./deleted_pods.ts";
import { templateIfValid } from "../templates/parallelism.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { restartPod } from "./pod_restart.ts";
import { resourcesDurationOf } from "../nodes/resources_duration.ts";
import { hasCompleteReport } from "./task_results.ts";

/** Updates nodes from their pods, and handles nodes whose pod has vanished. */
export function updateFromPods(pass: Slice<NodesDraft & StatusDraft & RequestsDraft>): void {
  const { pods } = pass.facts;
  pass.evaluateDue("pod", pods.keys(), (id) => {
    const found = pass.draft.nodes.get(id);
    const pod = pods.get(id);
    const node = found && pod && clearLockWait(pass, found);
    if (!node || !pod) return;
    // A task result may complete a node before its pod is read: the condition is recorded nevertheless.
    reportStandIn(pass, node, pod);
    if (isOver(node)) return;
    const next = updateFromPod(pass, node, pod);
    if (next && isOver(next)) exportOutputs(pass, next.outputs);
  });
  pass.evaluateDue("missing", pass.draft.nodes.ids(), (id) => {
    const node = pass.draft.nodes.get(id);
    if (node?.type === "Pod" && !isOver(node) && node.startedAt && !pods.has(id)) handleVanishedPod(pass, node);
  });
}

/**
 * Clears the lock wait of a node that has a pod: a next holder may get its pod before the rest of its status is
 * written.
 */
function clearLockWait({ draft, facts: { before } }: Slice<NodesDraft>, node: NodeStatus): NodeStatus {
  if (!node.synchronizationStatus) return node;
  const isWaitMessage = node.message === before.status?.nodes?.[node.id]?.message;
  return draft.update(node.id, { synchronizationStatus: undefined, ...(isWaitMessage && { message: undefined }) });
}

/**
 * Sets the condition `PodRunning`, which is False for a completed workflow. An initial False does not cause a write by
 * itself.
 */
export function setPodRunningCondition(pass: Slice<StatusDraft>): void {
  const { pods } = pass.facts;
  const isOver = isCompletedPhase(pass.draft.workflow.status?.phase);
  const running = isOver
    ? 0
    : pass.select("running", pods.keys(), (id) => pods.has(id) && pass.draft.nodes.get(id)?.phase === "Running").size;
  const isKnown = pass.draft.workflow.status?.conditions?.some(({ type }) => type === "PodRunning");
  if (isKnown || running || pass.draft.nodes.changed.size) setCondition(pass, "PodRunning", running ? "True" : "False");
}

function updateFromPod(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
): NodeStatus | undefined {
  // The state of a pod is used even if its template no longer exists.
  const template = templateIfValid(pass, node);
  if (wasDeletedBeforeStart(node, pod, template)) return undefined;
  const facts = withDeletionError(pass, pod, template, interpretPod(pod, node, template));
  if (facts.phase === undefined) return undefined;
  const restart = restartPod(pass, node, pod, template);
  if (restart) return restart;
  const members = facts.containers ?? [];
  for (const member of members) {
    const child = pass.draft.nodes.byName(memberNodeName(node.name, member.name));
    if (child && !isOver(child)) pass.draft.mark(child.id, member.phase, member.message);
  }
  const isReportFinal = facts.hasAuxFailed || (isSingleContainer(pod) && isCompletedPhase(facts.phase)) ||
    hasCompleteReport(pass, node.id);
  const synced = isReportFinal ? true : node.taskResultSynced;
  if (facts.phase === "Succeeded" && synced === false) {
    // The task result is incomplete: the phase is unchanged, so that no other node uses the outputs yet.
    waitForReport(pass, node, facts);
    return node;
  }
  if (isCompleted(node)) return pass.draft.update(node.id, finalChanges(pass, node, pod, facts, synced));
  return pass.draft.update(node.id, changesFromPod(pass, node, pod, template, facts, synced));
}

/** Maximum number of images in the condition's message. */
const MAX_NAMED_IMAGES = 20;

/** Reports, as a condition of the workflow and an event, that a pod runs a stand-in in place of its image. */
function reportStandIn(pass: Slice<StatusDraft & RequestsDraft>, node: NodeStatus, pod: Pod): void {
  const standIn = pod.status?.conditions?.find(({ type, status }) => type === IMAGE_STAND_IN && status === "True");
  if (!standIn) return;
  const condition = pass.draft.workflow.status?.conditions?.find(({ type }) => type === IMAGE_STAND_IN);
  const known = condition?.message?.split(", ") ?? [];
  const images = [...new Set([...known, ...(standIn.message ?? "").split(", ")])].slice(0, MAX_NAMED_IMAGES);
  if (images.length === known.length) return;
  setCondition(pass, IMAGE_STAND_IN, "True", images.join(", "));
  const message = `${node.name} runs a stand-in in place of an image that cannot be pulled: ${standIn.message ?? ""}`;
  pass.draft.request({ kind: "event", type: "Warning", reason: IMAGE_STAND_IN, message });
}

/** The changes of a node that was completed before its pod: exit code, and the pod's end once it is known. */
function finalChanges(
  pass: Slice,
  node: NodeStatus,
  pod: Pod,
  facts: PodFacts,
  synced: boolean | undefined,
): Partial<NodeStatus> {
  const hasEnded = isCompletedPhase(facts.phase) && (!facts.isAuxRunning || pod.status?.phase === "Failed");
  return {
    outputs: withExitCode(node.outputs, facts),
    hostNodeName: pod.spec?.nodeName || node.hostNodeName,
    ...(hasEnded && synced !== false ? { taskResultSynced: synced, ...endFields(pass, pod, facts) } : {}),
  };
}

function withExitCode(outputs: NodeStatus["outputs"], { exitCode }: PodFacts): NodeStatus["outputs"] {
  return exitCode === undefined || outputs?.exitCode === exitCode ? outputs : { ...outputs, exitCode };
}

function endFields(pass: Slice, pod: Pod, facts: PodFacts): Partial<NodeStatus> {
  return {
    finishedAt: facts.finishedAt ?? timeText(pass.facts.now),
    resourcesDuration: resourcesDurationOf(pod, pass.facts.now),
  };
}

/**
 * A running pod that was deleted is Failed by a signal. The retry policy `OnError` includes deleted pods, so for it the
 * deletion counts as an error.
 */
function withDeletionError(pass: Slice, pod: Pod, template: Template | undefined, facts: PodFacts): PodFacts {
  if (facts.phase !== "Failed" || !isDeleting(pod) || !endedBySignal(pod, template)) return facts;
  const policy = template && retryStrategyOf(pass, template)?.retryPolicy;
  return policy === "OnError" ? { ...facts, phase: "Error", message: `pod deleted: ${facts.message}` } : facts;
}

/** Whether main was ended by SIGKILL or SIGTERM, other than by the kernel when memory ran out. */
function endedBySignal(pod: Pod, template: Template | undefined): boolean {
  return (pod.status?.containerStatuses ?? []).some(({ name, state }) => {
    const end = state?.terminated;
    return isMainName(name, template) && (end?.exitCode === 143 || end?.exitCode === 137) && end.reason !== "OOMKilled";
  });
}

function changesFromPod(
  pass: Slice<RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
  template: Template | undefined,
  facts: PodFacts,
  synced: boolean | undefined,
): Partial<NodeStatus> {
  const outputs = withExitCode(node.outputs, facts);
  let phase = facts.phase!;
  if (facts.isAuxRunning && isCompletedPhase(phase) && pod.status?.phase !== "Failed") phase = node.phase!;
  let lost: string | undefined;
  if (phase === "Succeeded") {
    const missing = missingPart(pass, pod, template, outputs);
    if (missing !== undefined && endedRecently(pass, node, pod)) {
      waitForReport(pass, node, facts);
      phase = node.phase!;
    } else if (missing === "outputs") {
      phase = "Error";
      lost = "The pod succeeded, but did not report its outputs";
    }
  }
  const leavesPending = node.phase === "Pending" && phase !== "Pending" && !isFailure(phase);
  let message = lost ?? (facts.message === undefined ? node.message : facts.message || undefined);
  if (leavesPending && message === node.message) message = undefined;
  const next = { phase, taskResultSynced: synced, daemoned: facts.daemoned || undefined };
  const ended = isOver(next) && !node.finishedAt;
  return {
    ...next,
    message,
    outputs,
    hostNodeName: pod.spec?.nodeName || node.hostNodeName,
    podIP: next.daemoned ? facts.podIP : node.podIP,
    restartingPodUID: phase === "Running" || phase === "Succeeded" ? undefined : node.restartingPodUID,
    progress: node.progress ?? NO_PROGRESS,
    ...(ended ? endFields(pass, pod, facts) : {}),
  };
}

/**
 * The missing part of a pod that succeeded: its declared outputs or, if the pod has an executor, the task result.
 * Undefined if nothing is missing.
 */
function missingPart(
  pass: Slice,
  pod: Pod,
  template: Template | undefined,
  outputs: NodeStatus["outputs"],
): "outputs" | "report" | undefined {
  const declared = template?.outputs;
  if (declared?.parameters?.some(({ valueFrom }) => valueFrom?.path) && !outputs?.parameters) return "outputs";
  if (declared?.artifacts?.some(({ optional }) => !optional) && !outputs?.artifacts) return "outputs";
  const nodeId = pod.metadata.annotations?.["workflows.argoproj.io/node-id"] ?? "";
  const hasExecutor = pod.spec?.containers?.some(({ name }) => name === "supervisor" || name === "wait");
  return hasExecutor && !pass.facts.taskResults.has(nodeId) ? "report" : undefined;
}

/**
 * Whether a pod's task result may still arrive. Without a known end of the pod, the time counts from the node's start.
 */
function endedRecently(pass: Slice, node: NodeStatus, pod: Pod): boolean {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  const known = ends.filter((end) => !Number.isNaN(end));
  const last = known.length > 0 ? Math.max(...known) : millisOf(node.startedAt);
  return pass.facts.now.getTime() < last + pass.facts.config.recentlyDeletedPodSeconds * 1000;
}

function waitForReport(pass: Slice<RequestsDraft>, node: NodeStatus, facts: PodFacts): void {
  pass.draft.log(`${node.name} waits for the report of its pod`);
  const ended = millisOf(facts.finishedAt);
  const until = (Number.isNaN(ended) ? pass.facts.now.getTime() : ended) +
    pass.facts.config.recentlyDeletedPodSeconds * 1000;
  pass.requestPassAt(Math.max(until, pass.facts.now.getTime() + 1000));
}

/**
 * Handles a vanished pod: a Pending node gets another pod, a running node fails with an error once it is not recent.
 */
function handleVanishedPod(pass: Slice<NodesDraft & RequestsDraft>, node: NodeStatus): void {
  if (node.phase === "Pending") return;
  const until = millisOf(node.startedAt) + pass.facts.config.recentlyStartedPodSeconds * 1000;
  const isRecent = pass.facts.now.getTime() < until;
  const labels = { node_phase: node.phase!, recently_started: String(isRecent) };
  if (!isCompleted(node)) pass.draft.request({ kind: "count", metric: "pod_missing", labels });
  if (isRecent) return pass.requestPassAt(until);
  pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
  if (isCompleted(node)) return;
  pass.draft.markError(node.id, "pod deleted");
  markContainersDeleted(pass, node.id);
}
