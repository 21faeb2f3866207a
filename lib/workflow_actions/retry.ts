import type { Condition, NodeStatus, Workflow } from "../api/mod.ts";
import { ANNOTATION, LABEL } from "../constants.ts";
import { onExitNodeName, podName, podNameVersion } from "../template/mod.ts";
import { ActionError } from "./error.ts";
import { templateOfNode } from "./node_fields.ts";
import { nodeGraph } from "./node_graph.ts";
import { parseNodeSelector } from "./node_selector.ts";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";
import { planRetry, type RetryPlan } from "./retry_plan.ts";
import { timeOf } from "./time.ts";

/** What is retried beside the nodes that failed. */
export interface RetryOptions {
  /** Nodes that succeeded are run again, too, if the selector means them. */
  readonly restartSuccessful?: boolean | undefined;
  readonly nodeFieldSelector?: string | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** The workflow that goes on, and the pods in its way. Delete these before it is written: their names come back. */
export interface Retry {
  readonly workflow: Workflow;
  readonly podsToDelete: readonly string[];
}

/**
 * Makes a finished workflow go on where it failed: what succeeded stays.
 * @throws {ActionError} when it is not finished, or succeeded and no node is chosen.
 */
export function formulateRetry(workflow: Workflow, options: RetryOptions, now: Date): Retry {
  const { restartSuccessful, nodeFieldSelector, parameters = new Map() } = options;
  const phase = workflow.status?.phase ?? "";
  const chooses = restartSuccessful && nodeFieldSelector;
  if (phase === "Succeeded" && !chooses) {
    throw new ActionError("To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector");
  }
  if (phase !== "Succeeded" && phase !== "Failed" && phase !== "Error") {
    throw new ActionError(`Cannot retry a workflow in phase ${phase}`);
  }
  const before = workflow.status?.nodes ?? {};
  const plan = planRetry({
    workflowName: workflow.metadata.name ?? "",
    nodes: before,
    chosen: chooses ? parseNodeSelector(nodeFieldSelector) : () => false,
    expandAnew: parameters.size > 0,
  });
  const nodes = nodesAfter(workflow, plan, now);
  return {
    workflow: overrideParameters(reopened(workflow, nodes, now), parameters),
    podsToDelete: podsInTheWay(workflow, plan),
  };
}

function reopened(workflow: Workflow, nodes: Record<string, NodeStatus>, now: Date): Workflow {
  const { [LABEL.completed]: _completed, [LABEL.archivingStatus]: _archived, ...labels } = workflow.metadata.labels ??
    {};
  const { shutdown: _shutdown, ...spec } = workflow.spec;
  if (spec.activeDeadlineSeconds === 0) delete spec.activeDeadlineSeconds; // how old clients terminated
  const { message: _message, finishedAt: _finishedAt, persistentVolumeClaims: _claims, ...status } = workflow.status ??
    {};
  const stored = status.storedWorkflowTemplateSpec;
  return {
    ...workflow,
    metadata: { ...workflow.metadata, labels },
    spec,
    status: {
      ...status,
      // Empty: the controller starts it as it would a new one, with the nodes that are there.
      phase: "",
      startedAt: timeOf(now),
      conditions: notCompleted(status.conditions ?? []),
      nodes,
      ...(stored ? { storedWorkflowTemplateSpec: { ...stored, shutdown: undefined } } : {}),
    },
  };
}

function notCompleted(conditions: readonly Condition[]): Condition[] {
  return [...conditions.filter(({ type }) => type !== "Completed"), { type: "Completed", status: "False" }];
}

function nodesAfter(workflow: Workflow, plan: RetryPlan, now: Date): Record<string, NodeStatus> {
  const exit = onExitNodeName(workflow.metadata.name ?? "");
  const stays = (id: string) => !plan.removed.has(id);
  const kept = Object.values(workflow.status?.nodes ?? {}).filter(({ id, name }) =>
    stays(id) && !name.startsWith(exit)
  );
  return Object.fromEntries(kept.map((node) => [node.id, {
    ...(plan.reopened.has(node.id) ? reopenedNode(node, now) : node),
    ...(node.children ? { children: node.children.filter(stays) } : {}),
    ...(node.outboundNodes ? { outboundNodes: node.outboundNodes.filter(stays) } : {}),
  }]));
}

function reopenedNode({ message: _message, finishedAt: _finishedAt, ...node }: NodeStatus, now: Date): NodeStatus {
  return {
    ...node,
    // A skipped node that ran would hold the workflow up for ever.
    phase: node.phase === "Skipped" ? "Skipped" : "Running",
    startedAt: timeOf(now),
  };
}

/** Pods of removed nodes, and whatever the exit handler ran: it runs again at the new end. */
function podsInTheWay(workflow: Workflow, { removed }: RetryPlan): string[] {
  const graph = nodeGraph(workflow.status?.nodes ?? {});
  const workflowName = workflow.metadata.name ?? "";
  const version = podNameVersion(workflow.metadata.annotations?.[ANNOTATION.podNameFormat]);
  const all = [...graph.nodes.values()];
  const exit = all.find(({ name }) => name === onExitNodeName(workflowName));
  const gone = [
    ...all.filter(({ id }) => removed.has(id)),
    ...(exit ? graph.inOrderFrom(exit) : []),
  ].filter(({ type }) => type === "Pod");
  const names = gone.map((node) =>
    podName({ workflowName, nodeName: node.name, templateName: templateOfNode(node), version })
  );
  return [...new Set(names)];
}
