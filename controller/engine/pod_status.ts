/** What the pods say about their nodes (spec/pods 6.1, 6.4; features K-45, K-46, H-04). */
import type { NodeStatus, Pod, Template } from "../../lib/api/mod.ts";
import { interpretPod, isMainName, type PodFacts } from "../../lib/pod/mod.ts";
import { retryStrategyOf } from "./call.ts";
import { setCondition } from "./conditions.ts";
import { markContainersDeleted } from "./container_set.ts";
import { exportOutputs } from "./global_outputs.ts";
import { diedUnborn, isDeleting } from "./held_pods.ts";
import { isCompletedPhase, isOver } from "./node_state.ts";
import { templateOfNode } from "./parallelism.ts";
import type { Pass } from "./pass.ts";
import { restartOf } from "./pod_restart.ts";
import { NO_PROGRESS } from "./progress_text.ts";
import { resourcesDurationOf } from "./resources_duration.ts";
import { formatTime, millisOf } from "./time.ts";

/** Reads every pod into its node, and finds the nodes whose pod is gone. */
export function readPods(pass: Pass): void {
  const { pods } = pass.observed;
  pass.lookAt("pod", pods.keys(), (id) => {
    const node = pass.nodes.get(id);
    const pod = pods.get(id);
    if (!node || !pod || isOver(node)) return;
    const next = readPod(pass, node, pod);
    if (next && isOver(next)) exportOutputs(pass, next.outputs);
  });
  const running = pass.select("running", pods.keys(), (id) => pods.has(id) && pass.nodes.get(id)?.phase === "Running");
  setCondition(pass, "PodRunning", running.size ? "True" : "False");
  pass.lookAt("missing", pass.nodes.ids(), (id) => {
    const node = pass.nodes.get(id);
    if (node?.type === "Pod" && !isOver(node) && node.startedAt && !pods.has(id)) missing(pass, node);
  });
}

function readPod(pass: Pass, node: NodeStatus, pod: Pod): NodeStatus | undefined {
  let template: Template | undefined;
  try {
    template = templateOfNode(pass, node);
  } catch {
    // The template is not to be had any more; the pod still tells how it ended.
  }
  if (diedUnborn(node, pod, template)) return undefined;
  const facts = withCauseOfDeletion(pass, pod, template, interpretPod(pod, node, template));
  if (facts.phase === undefined) return undefined;
  const restart = restartOf(pass, node, pod, template);
  if (restart) return restart;
  const members = facts.containers ?? [];
  for (const member of members) {
    const child = pass.nodes.byName(`${node.name}.${member.name}`);
    if (child && !isOver(child)) pass.mark(child.id, member.phase, member.message);
  }
  const synced = facts.auxFailed ? true : node.taskResultSynced;
  if (facts.phase === "Succeeded" && synced === false) {
    // The report is not whole yet: nothing may build on this node, its phase stays.
    waitForReport(pass, node, facts);
    return node;
  }
  return pass.nodes.update(node.id, changesOf(pass, node, pod, template, facts, synced));
}

/**
 * A running pod that was deleted ends as Failed by a signal. A retry strategy that asks for errors only means deleted
 * pods too, so for it the deletion is the error that it is.
 */
function withCauseOfDeletion(pass: Pass, pod: Pod, template: Template | undefined, facts: PodFacts): PodFacts {
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
  pass: Pass,
  node: NodeStatus,
  pod: Pod,
  template: Template | undefined,
  facts: PodFacts,
  synced: boolean | undefined,
): Partial<NodeStatus> {
  const outputs = facts.exitCode === undefined || node.outputs?.exitCode === facts.exitCode
    ? node.outputs
    : { ...node.outputs, exitCode: facts.exitCode };
  let phase = facts.phase!;
  if (facts.auxRunning && isCompletedPhase(phase) && pod.status?.phase !== "Failed") phase = node.phase!;
  if (phase === "Succeeded" && lacksOutputs(pass, pod, template, outputs)) {
    waitForReport(pass, node, facts);
    phase = node.phase!;
  }
  const leavesPending = node.phase === "Pending" && phase !== "Pending" && phase !== "Failed" && phase !== "Error";
  let message = facts.message === undefined ? node.message : facts.message || undefined;
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
    ...(ended
      ? { finishedAt: facts.finishedAt ?? formatTime(pass.now), resourcesDuration: resourcesDurationOf(pod, pass.now) }
      : {}),
  };
}

/** A pod that ended well owes its declared outputs, and, when an executor reports for it, the report itself. */
function lacksOutputs(
  pass: Pass,
  pod: Pod,
  template: Template | undefined,
  outputs: NodeStatus["outputs"],
): boolean {
  const declared = template?.outputs;
  if (declared?.parameters?.some(({ valueFrom }) => valueFrom?.path) && !outputs?.parameters) return true;
  if (declared?.artifacts?.some(({ optional }) => !optional) && !outputs?.artifacts) return true;
  const nodeId = pod.metadata.annotations?.["workflows.argoproj.io/node-id"] ?? "";
  const reports = pod.spec?.containers?.some(({ name }) => name === "supervisor" || name === "wait");
  return Boolean(reports) && !pass.observed.taskResults.has(nodeId) && endedRecently(pass, pod);
}

function endedRecently(pass: Pass, pod: Pod): boolean {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  const last = Math.max(...ends.filter((end) => !Number.isNaN(end)), 0);
  return pass.now.getTime() < last + pass.config.recentlyDeletedPodSeconds * 1000;
}

function waitForReport(pass: Pass, node: NodeStatus, facts: PodFacts): void {
  pass.notes.push(`${node.name} waits for the report of its pod`);
  const ended = millisOf(facts.finishedAt);
  const until = (Number.isNaN(ended) ? pass.now.getTime() : ended) + pass.config.recentlyDeletedPodSeconds * 1000;
  pass.comeBackAt(Math.max(until, pass.now.getTime() + 1000));
}

/** A pod that is gone: a Pending node gets another, a running one cannot be known any more. */
function missing(pass: Pass, node: NodeStatus): void {
  if (node.phase === "Pending") return;
  const until = millisOf(node.startedAt) + pass.config.recentlyStartedPodSeconds * 1000;
  if (pass.now.getTime() < until) return pass.comeBackAt(until);
  pass.nodes.update(node.id, { daemoned: undefined, taskResultSynced: true });
  pass.markError(node.id, "pod deleted");
  markContainersDeleted(pass, node.id);
}
