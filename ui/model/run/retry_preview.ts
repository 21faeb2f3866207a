/** Previews a retry: which nodes run again and which are kept, computed with the code of the server. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, NodeFamily, nodeGraph, nodesOf, nodeTypesOf, storedTemplateOf } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions/error";
import { parseNodeSelector } from "@tiphys/engine/workflow_actions/node_selector";
import { formulateRetry } from "@tiphys/engine/workflow_actions/retry";
import { planRetry, type RetryPlan } from "@tiphys/engine/workflow_actions/retry_plan";
import { type Estimate, estimateOf } from "./retry_estimate.ts";

/** The options of a retry. */
export interface RetryOptions {
  readonly restartSuccessful: boolean;
  readonly nodeFieldSelector: string;
  /** `name=value` each. */
  readonly parameters: readonly string[];
}

/** The plan of a retry, or why it is not possible. */
export type RetryPreview =
  | {
    readonly kind: "plan";
    /** Leaf nodes that run again, by name. */
    readonly repeated: readonly NodeStatus[];
    /** Suspended nodes that wait again. */
    readonly awaited: readonly NodeStatus[];
    /** The number of nodes that were omitted after a failure and are evaluated again. */
    readonly evaluatedAgain: number;
    /** Loops and groups of steps that could not be expanded, so that nothing in them ran; they are expanded again. */
    readonly expandedAgain: readonly NodeStatus[];
    /** The number of leaf nodes that are kept. */
    readonly reused: number;
    readonly podsToDelete: readonly string[];
    /** The estimated duration; undefined if unknown. */
    readonly estimate: Estimate | undefined;
  }
  | { readonly kind: "refused"; readonly reason: string };

/** Types of leaf nodes. */
const WORKERS = nodeTypesOf("pod", "agent", "controller");

/** Returns the leaf nodes by name. */
export function workersOf(workflow: Workflow): NodeStatus[] {
  return nodesOf(workflow).filter(({ type }) => WORKERS.has(type)).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Plans a retry. */
export function previewRetry(workflow: Workflow, wish: RetryOptions, now: Date): RetryPreview {
  const { restartSuccessful } = wish;
  // The form keeps the text of a disabled selector, which is not sent.
  const nodeFieldSelector = restartSuccessful ? wish.nodeFieldSelector : undefined;
  const parameters = parametersIn(wish.parameters);
  try {
    const { podsToDelete } = formulateRetry(workflow, { restartSuccessful, nodeFieldSelector, parameters }, now);
    const plan = planRetry({
      workflowName: workflow.metadata.name ?? "",
      nodes: workflow.status?.nodes ?? {},
      isSelected: nodeFieldSelector ? parseNodeSelector(nodeFieldSelector) : () => false,
      isDaemon: (node) => storedTemplateOf(workflow, node)?.daemon === true,
      mustExpandAgain: parameters.size > 0,
    });
    const workers = workersOf(workflow);
    const isAgain = (id: string) => plan.removed.has(id) || plan.restarted.has(id);
    const again = workers.filter(({ id }) => isAgain(id));
    const awaited = workers.filter(({ id }) => plan.awaited.has(id) && !plan.removed.has(id));
    const kept = workers.length - again.length - awaited.length;
    const evaluatedAgain = nodesOf(workflow).filter(({ id, phase }) =>
      phase === "Omitted" && plan.removed.has(id)
    ).length;
    const runs = ({ id, type }: NodeStatus) => isAgain(id) || type === "Suspend" && plan.awaited.has(id);
    const estimate = estimateOf(workflow, { runs, isOpen: ({ id }) => plan.reopened.has(id) });
    const expandedAgain = groupsExpandedAgain(workflow, plan);
    return {
      kind: "plan",
      repeated: again,
      awaited,
      evaluatedAgain,
      expandedAgain,
      reused: kept,
      podsToDelete,
      estimate,
    };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}

/** Returns the innermost failed groups that the plan expands again. */
function groupsExpandedAgain(workflow: Workflow, { removed, reopened, awaited }: RetryPlan): NodeStatus[] {
  const nodes = nodesOf(workflow);
  const isMatch = ({ id }: NodeStatus) => removed.has(id) || reopened.has(id) || awaited.has(id);
  const family = new NodeFamily(nodeGraph(workflow.status?.nodes ?? {}));
  // Groups around nodes that run again need no separate mention.
  const explained = new Set<NodeStatus>();
  for (const node of nodes) {
    if (!isMatch(node) || !WORKERS.has(node.type) && !isFailure(node.phase)) continue;
    for (let holder = family.holderOf(node); holder && !explained.has(holder); holder = family.holderOf(holder)) {
      explained.add(holder);
    }
  }
  return nodes.filter((node) =>
    isMatch(node) && isFailure(node.phase) && !WORKERS.has(node.type) && node.type !== "Container" &&
    !explained.has(node)
  ).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Parses parameters of the form `name=value`. */
export function parametersIn(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(texts.map((text) => [text.split("=", 1)[0]!, text.slice(text.indexOf("=") + 1)]));
}
