/** Reports why a workflow did not succeed: the first node that failed, and the end of its log. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isBug } from "@tiphys/kube/errors";
import { firstFailure, podNameOf } from "@tiphys/model/status";
import type { WorkflowService } from "@tiphys/service";
import { type ClusterFlags, clusterFlagsText } from "./cluster_flags.ts";
import { escapeControls } from "./plain.ts";

const LAST_LINES = 10;

/** Returns the lines of the report. */
export async function failureReport(service: WorkflowService, workflow: Workflow): Promise<string[]> {
  const { name } = workflow.metadata;
  const { phase, message } = workflow.status ?? {};
  const head = `Workflow ${name} ended with ${phase}${message ? `: ${escapeControls(message)}` : ""}`;
  const node = firstFailure(workflow);
  // A workflow of one node has the message of that node.
  if (node && node.name === name && node.message === message) {
    return [head, ...await logReport(service, workflow, node)];
  }
  return [head, ...await firstFailureReport(service, workflow)];
}

/** Returns the report, and the command that retries the workflow. */
export async function failureAdvice(
  service: WorkflowService,
  workflow: Workflow,
  flags: ClusterFlags,
): Promise<string[]> {
  const next = `To retry it from where it failed:  tiphys retry ${workflow.metadata.name}${clusterFlagsText(flags)}`;
  return [...await failureReport(service, workflow), next];
}

/** Returns lines about the first node that failed: its message and its last log lines. Empty if no node failed. */
export async function firstFailureReport(service: WorkflowService, workflow: Workflow): Promise<string[]> {
  const node = firstFailure(workflow);
  if (!node) return [];
  const reason = `The first node that failed: ${escapeControls(node.displayName ?? node.name)}: ${
    escapeControls(node.message ?? node.phase ?? "")
  }`;
  return [reason, ...await logReport(service, workflow, node)];
}

async function logReport(service: WorkflowService, workflow: Workflow, node: NodeStatus): Promise<string[]> {
  const log = await lastLogLines(service, workflow, node);
  return log.length ? ["Its last log lines:", ...log.map((line) => `  ${line}`)] : [];
}

/** Returns the last log lines of a node; empty without a pod, or if its log cannot be read. */
export async function lastLogLines(service: WorkflowService, workflow: Workflow, node: NodeStatus): Promise<string[]> {
  if (node.type !== "Pod") return [];
  const { name = "", namespace = "" } = workflow.metadata;
  const request = { podName: podNameOf(workflow, node), tailLines: LAST_LINES };
  try {
    return (await Array.fromAsync(service.logs(namespace, name, request))).map(({ line }) => line);
  } catch (error) {
    // The pod may be deleted.
    if (isBug(error)) throw error;
    return [];
  }
}
