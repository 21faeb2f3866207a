/** What the executors reported: outputs, progress, and whether the report is whole (features S-11, H-04, H-05). */
import type { NodeStatus, WorkflowTaskResult } from "../../lib/api/mod.ts";
import { CONTAINER, LABEL } from "../../lib/constants.ts";
import { exportOutputs } from "./global_outputs.ts";
import { isCompleted, isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { isProgress } from "./progress_text.ts";
import { resourcesDurationOf } from "./resources_duration.ts";
import { millisOf } from "./time.ts";

/** Takes the reports into the nodes they belong to. */
export function takeReports(pass: Pass): void {
  const { taskResults } = pass.observed;
  pass.lookAt("report", taskResults.keys(), (id) => {
    const node = pass.nodes.get(id);
    const report = taskResults.get(id);
    if (node && report) takeReport(pass, node, report);
  });
}

function takeReport(pass: Pass, node: NodeStatus, report: WorkflowTaskResult): void {
  const whole = report.metadata.labels?.[LABEL.reportOutputsCompleted] === "true";
  // What was waited for enough, or in vain, is not waited for again.
  if (!whole && isOver(node)) return;
  if (!whole && isCompleted(node) && mayStillCome(pass, node)) {
    pass.nodes.update(node.id, { taskResultSynced: false });
    return;
  }
  const outputs = report.outputs && hasOutputs(report.outputs) ? { ...report.outputs } : undefined;
  if (outputs && node.outputs?.exitCode !== undefined) outputs.exitCode ??= node.outputs.exitCode;
  const changes: Partial<NodeStatus> = {
    // A completed node whose report never became whole is not waited for any longer.
    taskResultSynced: whole || isCompleted(node),
    ...(outputs && !sameJson(node.outputs, outputs) ? { outputs: { ...node.outputs, ...outputs } } : {}),
    ...(isProgress(report.progress) ? { progress: report.progress } : {}),
  };
  const next = pass.nodes.update(node.id, changes);
  if (whole && report.phase === "Succeeded") succeedByReport(pass, next);
}

/**
 * A pod of one main container whose executor says that it ended well: the kubelet will say the same a second later. Where
 * there are other containers (sidecars may fail, members have nodes of their own) the pod has the last word.
 */
function succeedByReport(pass: Pass, node: NodeStatus): void {
  const pod = pass.observed.pods.get(node.id);
  const isOpen = node.type === "Pod" && (node.phase === "Pending" || node.phase === "Running");
  if (!pod || !isOpen || node.daemoned || pod.spec.containers.some(({ name }) => !OWN_CONTAINERS.has(name))) return;
  if (node.children?.some((id) => pass.nodes.get(id)?.type === "Container")) return;
  pass.nodes.update(node.id, {
    outputs: { ...node.outputs, exitCode: node.outputs?.exitCode ?? "0" },
    hostNodeName: pod.spec.nodeName ?? node.hostNodeName,
    resourcesDuration: resourcesDurationOf(pod, pass.now),
    restartingPodUID: undefined,
    message: undefined,
  });
  exportOutputs(pass, pass.mark(node.id, "Succeeded").outputs);
}

const OWN_CONTAINERS: ReadonlySet<string> = new Set([CONTAINER.main, CONTAINER.supervisor, CONTAINER.wait]);

function hasOutputs(outputs: NonNullable<NodeStatus["outputs"]>): boolean {
  return outputs.result !== undefined || outputs.exitCode !== undefined ||
    Boolean(outputs.parameters?.length) || Boolean(outputs.artifacts?.length);
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A report of a node that ended may come late: shortly after its pod vanished, or while the pod is still there. */
function mayStillCome(pass: Pass, node: NodeStatus): boolean {
  const ended = millisOf(node.finishedAt);
  const seconds = pass.observed.pods.has(node.id)
    ? pass.config.taskResultTimeoutSeconds
    : pass.config.recentlyDeletedPodSeconds;
  const until = ended + seconds * 1000;
  if (Number.isNaN(until) || pass.now.getTime() > until) return false;
  pass.comeBackAt(until + 1);
  return true;
}
