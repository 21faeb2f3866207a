/** The state of nodes as their pods tell it. */
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
import { setCondition } from "../whole/conditions.ts";
import { markContainersDeleted } from "../templates/container_set.ts";
import { exportOutputs } from "../spec/global_outputs.ts";
import { diedUnborn, isDeleting } from "./held_pods.ts";
import { knownTemplate } from "../templates/parallelism.ts";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { restartOf } from "./pod_restart.ts";
import { resourcesDurationOf } from "../nodes/resources_duration.ts";
import { hasWholeReport } from "./task_results.ts";

/** Reads every pod into its node, and finds the nodes whose pod is gone. */
export function readPods(pass: Slice<NodesDraft & StatusDraft & RequestsDraft>): void {
  const { pods } = pass.facts;
  pass.lookAt("pod", pods.keys(), (id) => {
    const found = pass.draft.nodes.get(id);
    const pod = pods.get(id);
    const node = found && pod && waitsNoMore(pass, found);
    if (!node || !pod) return;
    // A report can finish a node before its pod is read: the condition counts all the same.
    noteStandIn(pass, node, pod);
    if (isOver(node)) return;
    const next = readPod(pass, node, pod);
    if (next && isOver(next)) exportOutputs(pass, next.outputs);
  });
  pass.lookAt("missing", pass.draft.nodes.ids(), (id) => {
    const node = pass.draft.nodes.get(id);
    if (node?.type === "Pod" && !isOver(node) && node.startedAt && !pods.has(id)) missing(pass, node);
  });
}

/**
 * A node that has a pod waits for no lock any more. It may have had its pod as one of the next holders, before anything else of
 * it was written.
 */
function waitsNoMore({ draft, facts: { before } }: Slice<NodesDraft>, node: NodeStatus): NodeStatus {
  if (!node.synchronizationStatus) return node;
  const isOfWait = node.message === before.status?.nodes?.[node.id]?.message;
  return draft.update(node.id, { synchronizationStatus: undefined, ...(isOfWait && { message: undefined }) });
}

/**
 * Says in the workflow's status whether a pod of it runs; what has ended has none. That none runs yet is not worth a
 * write of its own.
 */
export function notePodsRunning(pass: Slice<StatusDraft>): void {
  const { pods } = pass.facts;
  const isOver = isCompletedPhase(pass.draft.workflow.status?.phase);
  const running = isOver
    ? 0
    : pass.select("running", pods.keys(), (id) => pods.has(id) && pass.draft.nodes.get(id)?.phase === "Running").size;
  const isKnown = pass.draft.workflow.status?.conditions?.some(({ type }) => type === "PodRunning");
  if (isKnown || running || pass.draft.nodes.changed.size) setCondition(pass, "PodRunning", running ? "True" : "False");
}

function readPod(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
): NodeStatus | undefined {
  // The state of a pod counts also when its template does not exist any more.
  const template = knownTemplate(pass, node);
  if (diedUnborn(node, pod, template)) return undefined;
  const facts = withCauseOfDeletion(pass, pod, template, interpretPod(pod, node, template));
  if (facts.phase === undefined) return undefined;
  const restart = restartOf(pass, node, pod, template);
  if (restart) return restart;
  const members = facts.containers ?? [];
  for (const member of members) {
    const child = pass.draft.nodes.byName(memberNodeName(node.name, member.name));
    if (child && !isOver(child)) pass.draft.mark(child.id, member.phase, member.message);
  }
  const noMoreComes = facts.auxFailed || (isSingleContainer(pod) && isCompletedPhase(facts.phase)) ||
    hasWholeReport(pass, node.id);
  const synced = noMoreComes ? true : node.taskResultSynced;
  if (facts.phase === "Succeeded" && synced === false) {
    // The report is not whole yet: nothing may build on this node, its phase stays.
    waitForReport(pass, node, facts);
    return node;
  }
  if (isCompleted(node)) return pass.draft.update(node.id, lastChangesOf(pass, node, pod, facts, synced));
  return pass.draft.update(node.id, changesOf(pass, node, pod, template, facts, synced));
}

/** The number of images that the condition names. */
const NAMED_STAND_INS = 20;

/** Reports in the workflow's conditions, and by an event, that a pod runs a stand-in in place of its image. */
function noteStandIn(pass: Slice<StatusDraft & RequestsDraft>, node: NodeStatus, pod: Pod): void {
  const there = pod.status?.conditions?.find(({ type, status }) => type === IMAGE_STAND_IN && status === "True");
  if (!there) return;
  const condition = pass.draft.workflow.status?.conditions?.find(({ type }) => type === IMAGE_STAND_IN);
  const known = condition?.message?.split(", ") ?? [];
  const images = [...new Set([...known, ...(there.message ?? "").split(", ")])].slice(0, NAMED_STAND_INS);
  if (images.length === known.length) return;
  setCondition(pass, IMAGE_STAND_IN, "True", images.join(", "));
  const message = `${node.name} runs a stand-in in place of an image that cannot be pulled: ${there.message ?? ""}`;
  pass.draft.ask({ kind: "event", type: "Warning", reason: IMAGE_STAND_IN, message });
}

/** A node that was stopped, and only tells now how its pod ended. */
function lastChangesOf(
  pass: Slice,
  node: NodeStatus,
  pod: Pod,
  facts: PodFacts,
  synced: boolean | undefined,
): Partial<NodeStatus> {
  const hasEnded = isCompletedPhase(facts.phase) && (!facts.auxRunning || pod.status?.phase === "Failed");
  return {
    outputs: withExitCode(node.outputs, facts),
    hostNodeName: pod.spec?.nodeName || node.hostNodeName,
    ...(hasEnded && synced !== false ? { taskResultSynced: synced, ...endOf(pass, pod, facts) } : {}),
  };
}

function withExitCode(outputs: NodeStatus["outputs"], { exitCode }: PodFacts): NodeStatus["outputs"] {
  return exitCode === undefined || outputs?.exitCode === exitCode ? outputs : { ...outputs, exitCode };
}

function endOf(pass: Slice, pod: Pod, facts: PodFacts): Partial<NodeStatus> {
  return {
    finishedAt: facts.finishedAt ?? timeText(pass.facts.now),
    resourcesDuration: resourcesDurationOf(pod, pass.facts.now),
  };
}

/**
 * A running pod that was deleted ends as Failed by a signal. A retry strategy that asks for errors only means deleted
 * pods too, so for it the deletion is the error that it is.
 */
function withCauseOfDeletion(pass: Slice, pod: Pod, template: Template | undefined, facts: PodFacts): PodFacts {
  if (facts.phase !== "Failed" || !isDeleting(pod) || !endedBySignal(pod, template)) return facts;
  const policy = template && retryStrategyOf(pass, template)?.retryPolicy;
  return policy === "OnError" ? { ...facts, phase: "Error", message: `pod deleted: ${facts.message}` } : facts;
}

/** SIGKILL or SIGTERM ended main, and it was not the kernel for want of memory. */
function endedBySignal(pod: Pod, template: Template | undefined): boolean {
  return (pod.status?.containerStatuses ?? []).some(({ name, state }) => {
    const end = state?.terminated;
    return isMainName(name, template) && (end?.exitCode === 143 || end?.exitCode === 137) && end.reason !== "OOMKilled";
  });
}

function changesOf(
  pass: Slice<RequestsDraft>,
  node: NodeStatus,
  pod: Pod,
  template: Template | undefined,
  facts: PodFacts,
  synced: boolean | undefined,
): Partial<NodeStatus> {
  const outputs = withExitCode(node.outputs, facts);
  let phase = facts.phase!;
  if (facts.auxRunning && isCompletedPhase(phase) && pod.status?.phase !== "Failed") phase = node.phase!;
  let lost: string | undefined;
  if (phase === "Succeeded") {
    const lacks = lackOf(pass, pod, template, outputs);
    if (lacks !== undefined && endedRecently(pass, node, pod)) {
      waitForReport(pass, node, facts);
      phase = node.phase!;
    } else if (lacks === "outputs") {
      phase = "Error";
      lost = "The pod ended well and did not report its outputs";
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
    ...(ended ? endOf(pass, pod, facts) : {}),
  };
}

/**
 * The thing that a pod which ended well still owes: its declared outputs, or, when an executor reports for it, the
 * report itself; undefined when it owes nothing.
 */
function lackOf(
  pass: Slice,
  pod: Pod,
  template: Template | undefined,
  outputs: NodeStatus["outputs"],
): "outputs" | "report" | undefined {
  const declared = template?.outputs;
  if (declared?.parameters?.some(({ valueFrom }) => valueFrom?.path) && !outputs?.parameters) return "outputs";
  if (declared?.artifacts?.some(({ optional }) => !optional) && !outputs?.artifacts) return "outputs";
  const nodeId = pod.metadata.annotations?.["workflows.argoproj.io/node-id"] ?? "";
  const reports = pod.spec?.containers?.some(({ name }) => name === "supervisor" || name === "wait");
  return reports && !pass.facts.taskResults.has(nodeId) ? "report" : undefined;
}

/** Whether the report of a pod may still come. One that does not tell when it ended counts from the start of its node. */
function endedRecently(pass: Slice, node: NodeStatus, pod: Pod): boolean {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  const known = ends.filter((end) => !Number.isNaN(end));
  const last = known.length > 0 ? Math.max(...known) : millisOf(node.startedAt);
  return pass.facts.now.getTime() < last + pass.facts.config.recentlyDeletedPodSeconds * 1000;
}

function waitForReport(pass: Slice<RequestsDraft>, node: NodeStatus, facts: PodFacts): void {
  pass.draft.note(`${node.name} waits for the report of its pod`);
  const ended = millisOf(facts.finishedAt);
  const until = (Number.isNaN(ended) ? pass.facts.now.getTime() : ended) +
    pass.facts.config.recentlyDeletedPodSeconds * 1000;
  pass.comeBackAt(Math.max(until, pass.facts.now.getTime() + 1000));
}

/** A pod that is gone: a Pending node gets another, a running one cannot be known any more. */
function missing(pass: Slice<NodesDraft & RequestsDraft>, node: NodeStatus): void {
  if (node.phase === "Pending") return;
  const until = millisOf(node.startedAt) + pass.facts.config.recentlyStartedPodSeconds * 1000;
  const isRecent = pass.facts.now.getTime() < until;
  const labels = { node_phase: node.phase!, recently_started: String(isRecent) };
  if (!isCompleted(node)) pass.draft.ask({ kind: "count", metric: "pod_missing", labels });
  if (isRecent) return pass.comeBackAt(until);
  pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
  if (isCompleted(node)) return;
  pass.draft.markError(node.id, "pod deleted");
  markContainersDeleted(pass, node.id);
}
