/** Why a workflow did not succeed: the first node that failed, and the end of what it wrote. */
import type { NodeStatus, Workflow } from "../lib/api/mod.ts";
import { ANNOTATION } from "../lib/constants.ts";
import type { KubeClient } from "../lib/kube/mod.ts";
import { podName, podNameVersion } from "../lib/template/mod.ts";
import { templateOfNode } from "../lib/workflow_actions/mod.ts";
import { logLines, MAIN } from "./pod_logs.ts";

const LAST_LINES = 10;

/** The node where it began: the earliest failed one that did not fail because of another. */
export function firstFailure(workflow: Workflow): NodeStatus | undefined {
  const nodes: NodeStatus[] = Object.values(workflow.status?.nodes ?? {});
  const failed = nodes.filter(({ phase }) => phase === "Failed" || phase === "Error");
  const causes = failed.filter(({ type }) => ["Pod", "Suspend", "HTTP", "Plugin"].includes(type));
  const end = ({ finishedAt }: NodeStatus) => finishedAt ? Date.parse(finishedAt) : Infinity;
  return (causes.length ? causes : failed).toSorted((a, b) => end(a) - end(b) || (a.name < b.name ? -1 : 1))[0];
}

/** The report, as lines. */
export async function failureReport(client: KubeClient, workflow: Workflow): Promise<string[]> {
  const { name, namespace = "" } = workflow.metadata;
  const { phase, message } = workflow.status ?? {};
  const head = `Workflow ${name} ended with ${phase}${message ? `: ${message}` : ""}`;
  const node = firstFailure(workflow);
  if (!node) return [head];
  const reason = `The first node that failed: ${node.displayName ?? node.name}: ${node.message ?? node.phase}`;
  const log = node.type === "Pod" ? await lastLines(client, namespace, podOf(workflow, node)) : [];
  return [head, reason, ...(log.length ? ["Its last log lines:", ...log.map((line) => `  ${line}`)] : [])];
}

async function lastLines(client: KubeClient, namespace: string, pod: string): Promise<string[]> {
  return await Array.fromAsync(logLines(client, namespace, pod, { ...MAIN, tailLines: LAST_LINES }));
}

function podOf({ metadata }: Workflow, node: NodeStatus): string {
  const version = podNameVersion(metadata.annotations?.[ANNOTATION.podNameFormat]);
  return podName({
    workflowName: metadata.name ?? "",
    nodeName: node.name,
    templateName: templateOfNode(node),
    version,
  });
}
