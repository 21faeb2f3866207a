/** Task results, the reports of executors: outputs, progress, and whether the report is complete. */
import { isProblem, type NodeStatus, type Pod, type ReadResult, type WorkflowTaskResult } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { isCompleted, isOver, isProgress, millisOf } from "@tiphys/model/status";
import { exportOutputs } from "../spec/global_outputs.ts";
import { isSingleContainer } from "../pod/mod.ts";
import { isDeleting } from "./deleted_pods.ts";
import { templateIfValid, templateOfNode } from "../templates/parallelism.ts";
import { ignoreUserError } from "../user_error.ts";
import type { NodesDraft, Slice, StatusDraft } from "../slice.ts";
import { verifyReport } from "./report_proof.ts";
import { isSameOutputs } from "@tiphys/model/report_seal";
import { resourcesDurationOf } from "../nodes/resources_duration.ts";

/** Updates nodes from their reports. */
export function applyReports(pass: Slice<NodesDraft & StatusDraft>): void {
  const { taskResults } = pass.facts;
  pass.evaluateDue("report", taskResults.keys(), (id) => {
    const node = pass.draft.nodes.get(id);
    const report = taskResults.get(id);
    if (node && report) applyReport(pass, node, report);
  });
}

function isComplete({ metadata }: WorkflowTaskResult): boolean {
  return metadata.labels?.[LABEL.reportOutputsCompleted] === "true";
}

/** Whether the executor of a node with a pod has completed its report. False for a report of another origin. */
export function hasCompleteReport(pass: Slice, nodeId: string): boolean {
  const report = pass.facts.taskResults.get(nodeId);
  const pod = pass.facts.pods.get(nodeId);
  if (!report || !pod || isProblem(report) || !isComplete(report) || isSingleContainer(pod)) return false;
  const { kind } = verifyReport(pod, report);
  return kind === "proved" || (kind === "unsealed" && !pass.cache(sealingPods).has(pod.metadata.uid ?? ""));
}

/** Whether a node failed or was stopped before its report was complete: it is over once the end of its pod is known. */
function awaitsPodEnd(pass: Slice, node: NodeStatus): boolean {
  return isCompleted(node) && node.taskResultSynced === false && pass.facts.pods.has(node.id);
}

function applyReport(
  pass: Slice<NodesDraft & StatusDraft>,
  node: NodeStatus,
  result: ReadResult<WorkflowTaskResult>,
): void {
  const pod = pass.facts.pods.get(node.id);
  // A single-container pod creates no task result, so another client has created this one.
  if (pod && isSingleContainer(pod)) return;
  const trusted = isProblem(result)
    ? ignoreInvalidReport(pass, node, result.message)
    : trustedReport(pass, node, result);
  if (!trusted) return;
  const { report, isProved } = trusted;
  const isReportComplete = isComplete(report);
  // A node that is over has its report or was given up: an incomplete report changes nothing.
  if (!isReportComplete && isOver(node)) return;
  if (!isReportComplete && isCompleted(node) && mayStillArrive(pass, node)) {
    pass.draft.update(node.id, { taskResultSynced: false });
    return;
  }
  const outputs = report.outputs && hasOutputs(report.outputs) ? { ...report.outputs } : undefined;
  if (outputs && node.outputs?.exitCode !== undefined) outputs.exitCode ??= node.outputs.exitCode;
  const changes: Partial<NodeStatus> = {
    // The wait for a completed node whose report stayed incomplete ends.
    taskResultSynced: (isReportComplete || isCompleted(node)) && !(isReportComplete && awaitsPodEnd(pass, node)),
    ...(outputs && areNew(node, outputs) ? { outputs: { ...node.outputs, ...outputs } } : {}),
    ...(isProgress(report.progress) ? { progress: report.progress } : {}),
  };
  const next = pass.draft.update(node.id, changes);
  if (isProved && isReportComplete && report.phase === "Succeeded") succeedByReport(pass, next);
}

/**
 * The UIDs of pods of the legacy layout that have sealed a report: later reports without a seal are not theirs. A
 * restarted controller does not know them. The init-less layout does not need this, as its executor always seals.
 */
const sealingPods = () => new Set<string>();

/**
 * Returns the part of a report that is trusted now. A report sealed by the node's pod is trusted immediately. One
 * without a seal, from an executor that does not support seals, is trusted once the pod has ended; until then, only its
 * progress is. A report with an invalid seal is ignored, and a pod that succeeds without its own report is an error.
 */
function trustedReport(
  pass: Slice<NodesDraft>,
  node: NodeStatus,
  report: WorkflowTaskResult,
): { readonly report: WorkflowTaskResult; readonly isProved: boolean } | undefined {
  const pod = pass.facts.pods.get(node.id);
  const isFinal = isCompleted(node) && node.taskResultSynced === true;
  if (!pod) return isCompleted(node) && !isFinal ? { report, isProved: false } : undefined;
  const proof = verifyReport(pod, report);
  const uid = pod.metadata.uid ?? "";
  if (proof.kind === "proved") {
    pass.cache(sealingPods).add(uid);
    return { report: proof.report, isProved: true };
  }
  if (isFinal) return undefined;
  const end = pod.status?.phase;
  if (proof.kind === "unsealed" && !pass.cache(sealingPods).has(uid)) {
    if (end === "Succeeded" || end === "Failed" || isCompleted(node)) return { report, isProved: false };
    const { metadata, progress } = report;
    return { report: { metadata: { ...metadata, labels: undefined }, progress }, isProved: false };
  }
  if (end === "Succeeded" || end === "Failed") endWithoutReport(pass, node, pod, FOREIGN_REPORT);
  return undefined;
}

/** Ignores an invalid report, like one of another origin. */
function ignoreInvalidReport(pass: Slice<NodesDraft>, node: NodeStatus, problem: string): undefined {
  if (isCompleted(node) && node.taskResultSynced === true) return;
  const pod = pass.facts.pods.get(node.id);
  if (!pod) {
    if (isCompleted(node)) pass.draft.update(node.id, { taskResultSynced: true });
    return;
  }
  const end = pod.status?.phase;
  if (end === "Succeeded" || end === "Failed") endWithoutReport(pass, node, pod, problem);
}

/** Handles a pod that ended without its own report, which may still arrive for some time. */
function endWithoutReport(pass: Slice<NodesDraft>, node: NodeStatus, pod: Pod, reason: string): void {
  if (pod.status?.phase === "Succeeded" && !isCompleted(node)) {
    const until = lastEnd(pod) + pass.facts.config.recentlyDeletedPodSeconds * 1000;
    if (pass.facts.now.getTime() <= until) {
      pass.draft.update(node.id, { taskResultSynced: false });
      return pass.requestPassAt(until + 1);
    }
    pass.draft.update(node.id, { taskResultSynced: true });
    pass.draft.markError(node.id, reason);
  } else pass.draft.update(node.id, { taskResultSynced: true });
}

const FOREIGN_REPORT = "the report of this node was not created by its pod, so the outputs of the node are unknown";

/** The end of the pod's last container, in milliseconds since the epoch; 0 if unknown. */
function lastEnd(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => millisOf(state?.terminated?.finishedAt));
  return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

/**
 * Returns an error if a node succeeded by its report although its main container failed: another process sealed the
 * report with the pod's key. Undefined otherwise.
 */
export function contradictedReport(pass: Slice<StatusDraft>): string | undefined {
  let found: string | undefined;
  const { pods } = pass.facts;
  pass.evaluateDue("contradiction", pods.keys(), (id) => {
    const node = pass.draft.nodes.get(id);
    const pod = pods.get(id);
    if (!node || !pod || node.phase !== "Succeeded" || pod.status?.phase !== "Failed" || !hasOneMain(pod)) return;
    const main = pod.status.containerStatuses?.find(({ name }) => name === CONTAINER.main)?.state?.terminated;
    // The exit code of daemons, and of containers ended by a signal or deletion, is unrelated to their work.
    if (!main || main.exitCode === 0 || ENDED_BY_SIGNAL.has(main.exitCode) || isDeleting(pod) || isDaemon(pass, node)) {
      return;
    }
    found ??=
      `node ${node.name} succeeded by a report that was not its pod's: its pod failed (exit code ${main.exitCode})`;
  });
  return found;
}

const ENDED_BY_SIGNAL: ReadonlySet<number> = new Set([137, 143]);

function isDaemon(pass: Slice<StatusDraft>, node: NodeStatus): boolean {
  try {
    return templateOfNode(pass, node)?.daemon === true;
  } catch (error) {
    ignoreUserError(error);
    return true; // the template is unknown, so the exit code proves nothing
  }
}

/**
 * Completes the node of a pod with a single main container when its executor reports success: the kubelet reports the
 * same a second later. With other containers (sidecars may fail, members have their own nodes), the pod's phase
 * decides.
 */
function succeedByReport(pass: Slice<NodesDraft & StatusDraft>, node: NodeStatus): void {
  const pod = pass.facts.pods.get(node.id);
  const isOpen = node.type === "Pod" && (node.phase === "Pending" || node.phase === "Running");
  // A daemon that ends by itself has failed, whatever its exit code.
  if (!pod || !isOpen || node.daemoned || !hasOneMain(pod) || templateIfValid(pass, node)?.daemon) return;
  if (node.children?.some((id) => pass.draft.nodes.get(id)?.type === "Container")) return;
  pass.draft.update(node.id, {
    // Any other code is from a failed pod of an earlier run: a memoized resubmission keeps the outputs of its nodes.
    outputs: { ...node.outputs, exitCode: "0" },
    hostNodeName: pod.spec.nodeName ?? node.hostNodeName,
    resourcesDuration: resourcesDurationOf(pod, pass.facts.now),
    restartingPodUID: undefined,
    message: undefined,
  });
  exportOutputs(pass, pass.draft.mark(node.id, "Succeeded").outputs);
}

const OWN_CONTAINERS: ReadonlySet<string> = new Set([CONTAINER.main, CONTAINER.supervisor, CONTAINER.wait]);

function hasOneMain(pod: Pod): boolean {
  return pod.spec.containers.every(({ name }) => OWN_CONTAINERS.has(name));
}

function hasOutputs(outputs: NonNullable<NodeStatus["outputs"]>): boolean {
  return outputs.result !== undefined || outputs.exitCode !== undefined ||
    Boolean(outputs.parameters?.length) || Boolean(outputs.artifacts?.length);
}

/**
 * Whether reported outputs change the node. An API server with Argo's CRDs drops the measures of artifacts from the
 * status: a node whose report is recorded is not written again only to restore them.
 */
function areNew(
  { outputs: recordedOutputs, taskResultSynced }: NodeStatus,
  outputs: NonNullable<NodeStatus["outputs"]>,
): boolean {
  if (sameJson(recordedOutputs, outputs)) return false;
  return !(taskResultSynced && recordedOutputs && isSameOutputs(recordedOutputs, { ...recordedOutputs, ...outputs }));
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether the report of a completed node may still arrive: while its pod exists, or shortly after it vanished. */
function mayStillArrive(pass: Slice, node: NodeStatus): boolean {
  const ended = millisOf(node.finishedAt);
  const seconds = pass.facts.pods.has(node.id)
    ? pass.facts.config.taskResultTimeoutSeconds
    : pass.facts.config.recentlyDeletedPodSeconds;
  const until = ended + seconds * 1000;
  if (Number.isNaN(until) || pass.facts.now.getTime() > until) return false;
  pass.requestPassAt(until + 1);
  return true;
}
