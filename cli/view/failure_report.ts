/** The reason why a workflow did not succeed: the first node that failed, and the end of what it wrote. */
import type { NodeStatus, Workflow } from "../../lib/api/mod.ts";
import { firstFailure, podNameOf } from "../../lib/status/mod.ts";
import type { WorkflowService } from "../../lib/workflow_service/mod.ts";
import { plain } from "./plain.ts";

const LAST_LINES = 10;

/** The report, as lines. */
export async function failureReport(service: WorkflowService, workflow: Workflow): Promise<string[]> {
  const { name } = workflow.metadata;
  const { phase, message } = workflow.status ?? {};
  const head = `Workflow ${name} ended with ${phase}${message ? `: ${plain(message)}` : ""}`;
  const node = firstFailure(workflow);
  if (!node) return [head];
  const reason = `The first node that failed: ${plain(node.displayName ?? node.name)}: ${
    plain(node.message ?? node.phase ?? "")
  }`;
  const log = node.type === "Pod" ? await lastLines(service, workflow, node) : [];
  return [head, reason, ...(log.length ? ["Its last log lines:", ...log.map((line) => `  ${line}`)] : [])];
}

async function lastLines(service: WorkflowService, workflow: Workflow, node: NodeStatus): Promise<string[]> {
  const { name = "", namespace = "" } = workflow.metadata;
  const request = { podName: podNameOf(workflow, node), tailLines: LAST_LINES };
  return (await Array.fromAsync(service.logs(namespace, name, request))).map(({ line }) => line);
}
