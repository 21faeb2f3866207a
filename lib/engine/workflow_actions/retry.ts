/** `retry`: runs a failed workflow again from the nodes that failed. */
import type { Condition, NodeStatus, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import {
  declaredOutputs,
  isCompletedPhase,
  onExitNodeName,
  podNameOf,
  storedTemplateOf,
  suppliedOutputs,
  timeText,
  withResultOfOriginalPod,
} from "@tiphys/model/status";
import { ActionError } from "./error.ts";
import { parseNodeSelector } from "./node_selector.ts";
import { overrideParameters, type ParameterValues } from "./override_parameters.ts";
import { planRetry, type RetryPlan } from "./retry_plan.ts";

/** The nodes to retry. */
export interface RetryOptions {
  /** Whether nodes that succeeded and match the selector run again, in addition to all failed ones. */
  readonly restartSuccessful?: boolean | undefined;
  /** Without `restartSuccessful`, only failed nodes that match, or are inside of a match, run again. */
  readonly nodeFieldSelector?: string | undefined;
  readonly parameters?: ParameterValues | undefined;
}

/** The workflow to write, and the pods in its way. Delete these first, because their names are used again. */
export interface Retry {
  readonly workflow: Workflow;
  readonly podsToDelete: readonly string[];
}

/**
 * Retries a completed workflow from the nodes that failed and keeps those that succeeded. A workflow that ended before
 * it had nodes starts from scratch.
 * @throws {ActionError} when it is not completed, nothing in it failed, it succeeded and no node is selected, or no
 * node matches the selector.
 */
export function formulateRetry(workflow: Workflow, options: RetryOptions, now: Date): Retry {
  const { restartSuccessful, nodeFieldSelector, parameters = new Map() } = options;
  const phase = workflow.status?.phase ?? "";
  const selectsSuccessful = restartSuccessful && nodeFieldSelector;
  if (phase === "Succeeded" && !selectsSuccessful) {
    throw new ActionError("To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector");
  }
  if (!isCompletedPhase(phase)) {
    throw new ActionError(`Cannot retry a workflow in phase ${phase || "Pending"}`);
  }
  const nodesBefore = workflow.status?.nodes ?? {};
  const matches = nodeFieldSelector ? parseNodeSelector(nodeFieldSelector) : undefined;
  if (matches && !Object.values(nodesBefore).some(matches)) {
    throw new ActionError(`no node matches the node field selector "${nodeFieldSelector}"`);
  }
  const plan = planRetry({
    workflowName: workflow.metadata.name ?? "",
    nodes: nodesBefore,
    isSelected: selectsSuccessful && matches ? matches : () => false,
    isIncluded: selectsSuccessful ? undefined : matches,
    isDaemon: isDaemonOf(workflow),
    mustExpandAgain: parameters.size > 0,
  });
  if (matches && plan.isEmpty) {
    throw new ActionError(
      `nothing to retry: no failed node matches the node field selector "${nodeFieldSelector}"; ` +
        "set restartSuccessful to run nodes again that succeeded",
    );
  }
  // A workflow in phase Error failed itself, regardless of its nodes.
  if (plan.isEmpty && phase !== "Error") throw new ActionError("nothing to retry: no failed node was found");
  const nodes = nodesAfterRetry(workflow, plan, now);
  return {
    workflow: overrideParameters(reopenedWorkflow(workflow, nodes, now), parameters),
    podsToDelete: podsOfNodesToRecreate(workflow, plan),
  };
}

/**
 * Returns the nodes that a workflow continues with when all failed nodes run again. Set `mustExpandAgain` if the
 * arguments have changed, because loops may then have other items.
 */
export function nodesToContinue(workflow: Workflow, mustExpandAgain: boolean, now: Date): Record<string, NodeStatus> {
  const plan = planRetry({
    workflowName: workflow.metadata.name ?? "",
    nodes: workflow.status?.nodes ?? {},
    isSelected: () => false,
    isDaemon: isDaemonOf(workflow),
    mustExpandAgain,
  });
  return nodesAfterRetry(workflow, plan, now);
}

function isDaemonOf(workflow: Workflow): (node: NodeStatus) => boolean {
  return (node) => storedTemplateOf(workflow, node)?.daemon === true;
}

function reopenedWorkflow(workflow: Workflow, nodes: Record<string, NodeStatus>, now: Date): Workflow {
  const { [LABEL.completed]: _completed, [LABEL.archivingStatus]: _archived, ...labels } = workflow.metadata.labels ??
    {};
  const {
    message: _message,
    finishedAt: _finishedAt,
    persistentVolumeClaims: _claims,
    synchronization: _holders, // acquired again by the nodes that run again
    ...status
  } = workflow.status ?? {};
  const { storedWorkflowTemplateSpec: stored, taskResultsCompletionStatus: completion } = status;
  return {
    ...workflow,
    metadata: { ...workflow.metadata, labels },
    spec: withoutShutdown(workflow.spec),
    status: {
      ...status,
      // Empty, so that the controller starts it like a new workflow, with the existing nodes.
      phase: "",
      startedAt: timeText(now),
      conditions: notCompleted(status.conditions ?? []),
      nodes,
      ...(stored ? { storedWorkflowTemplateSpec: withoutShutdown(stored) } : {}),
      ...(completion ? { taskResultsCompletionStatus: entriesOfNodes(completion, nodes) } : {}),
    },
  };
}

/** Returns the spec without a shutdown. */
function withoutShutdown({ shutdown: _shutdown, ...spec }: WorkflowSpec): WorkflowSpec {
  if (spec.activeDeadlineSeconds === 0) delete spec.activeDeadlineSeconds; // the way in which old clients terminate workflows
  return spec;
}

/** Returns the entries of existing nodes. */
function entriesOfNodes<T>(
  entries: Readonly<Record<string, T>>,
  nodes: Readonly<Record<string, NodeStatus>>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([id]) => id in nodes));
}

function notCompleted(conditions: readonly Condition[]): Condition[] {
  return [...conditions.filter(({ type }) => type !== "Completed"), { type: "Completed", status: "False" }];
}

function nodesAfterRetry(workflow: Workflow, plan: RetryPlan, now: Date): Record<string, NodeStatus> {
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const runAgain = nodes.filter(({ id }) => plan.removed.has(id) || plan.reopened.has(id));
  const handlersToRun = new Set(runAgain.filter(({ nodeFlag }) => nodeFlag?.hooked).map(({ name }) => name));
  const kept = new Map<string, NodeStatus>();
  for (const node of nodes) {
    if (plan.removed.has(node.id)) continue;
    // The exit handler of a skipped node does not run.
    const owner = handlersToRun.has(onExitNodeName(node.name)) ? withResultOfOriginalPod(node) : node;
    const after = nodeAfterRetry(workflow, owner, plan, now);
    if (after) kept.set(node.id, after);
  }
  const stays = (id: string) => kept.has(id);
  return Object.fromEntries([...kept.values()].map((node) => [node.id, {
    ...node,
    ...(node.children ? { children: node.children.filter(stays) } : {}),
    ...(node.outboundNodes ? { outboundNodes: node.outboundNodes.filter(stays) } : {}),
  }]));
}

/** Returns a node as the retry leaves it; undefined for a node to be created again. */
function nodeAfterRetry(workflow: Workflow, node: NodeStatus, plan: RetryPlan, now: Date): NodeStatus | undefined {
  if (plan.awaited.has(node.id)) return waitingAgain(workflow, node, now);
  if (plan.restarted.has(node.id)) return restartedDaemon(node, now);
  return plan.reopened.has(node.id) ? reopenedNode(node, now) : node;
}

/** Makes a node run again. Its outputs and locks belonged to the failed run. */
function reopenedNode(node: NodeStatus, now: Date): NodeStatus {
  const {
    message: _message,
    finishedAt: _finishedAt,
    outputs: _outputs,
    synchronizationStatus: _locks,
    daemoned: _daemoned,
    ...rest
  } = node;
  return { ...rest, phase: "Running", startedAt: timeText(now) };
}

/** Makes a daemon run again with a new pod and address. */
function restartedDaemon(node: NodeStatus, now: Date): NodeStatus {
  const { podIP: _address, hostNodeName: _host, taskResultSynced: _report, ...rest } = reopenedNode(node, now);
  return { ...rest, phase: "Pending" };
}

/**
 * Makes a suspended node wait again, with the outputs that its template declares; undefined if the template is not
 * known.
 */
function waitingAgain(workflow: Workflow, node: NodeStatus, now: Date): NodeStatus | undefined {
  const template = storedTemplateOf(workflow, node);
  if (!template) return undefined;
  const parameters = [...suppliedOutputs(template), ...declaredOutputs(template)];
  if (JSON.stringify(parameters).includes("{{")) return undefined; // the engine fills it in when it creates the node
  return { ...reopenedNode(node, now), ...(parameters.length ? { outputs: { parameters } } : {}) };
}

/** Returns the pods of removed nodes and restarted daemons, whose names new pods use. */
function podsOfNodesToRecreate(workflow: Workflow, { removed, restarted }: RetryPlan): string[] {
  const gone = Object.values(workflow.status?.nodes ?? {}).filter(({ id, type }) =>
    type === "Pod" && (removed.has(id) || restarted.has(id))
  );
  return gone.map((node) => podNameOf(workflow, node));
}
