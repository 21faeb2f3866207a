/** Which nodes a retry takes away, so that they are made anew, and which it opens again (feature L-09). */
import type { NodeStatus, NodeType } from "../api/mod.ts";
import { isFailedNode } from "./node_fields.ts";
import { type NodeGraph, nodeGraph } from "./node_graph.ts";

/** Ids of nodes; who is in both is removed. */
export interface RetryPlan {
  readonly removed: ReadonlySet<string>;
  readonly reopened: ReadonlySet<string>;
}

/** What is retried. */
export interface RetryChoice {
  readonly workflowName: string;
  readonly nodes: Readonly<Record<string, NodeStatus>>;
  /** Nodes that are run again whatever became of them. */
  readonly chosen: (node: NodeStatus) => boolean;
  /** Loops and groups that are opened are expanded anew: the arguments have changed. */
  readonly expandAnew: boolean;
}

const GROUPS: readonly NodeType[] = ["DAG", "TaskGroup", "StepGroup", "Steps"];
const EXECUTIONS: readonly NodeType[] = ["Pod", "Container", "HTTP", "Plugin"];

/**
 * Plans a retry: chosen nodes and failed executions go, with all that follows them, and what holds them is opened up to
 * the workflow's root. A failed execution that the workflow went on after (continueOn) stays as it is.
 */
export function planRetry({ workflowName, nodes, chosen, expandAnew }: RetryChoice): RetryPlan {
  const graph = nodeGraph(nodes);
  const removed = new Set<string>();
  const reopened = new Set<string>();
  const root = graph.nodes.get(workflowName);
  if (!root) return { removed, reopened };
  const picked = new Set(Object.values(nodes).filter(chosen).map(({ id }) => id));
  const starts = new Set(picked);
  for (const node of graph.nodes.values()) {
    if (EXECUTIONS.includes(node.type) && isFailedNode(node) && !wentOnAfter(node, graph, picked)) starts.add(node.id);
  }
  // Nearest to the root first: what goes with an earlier one opens nothing of its own.
  for (const node of graph.inOrderFrom(root)) {
    if (!starts.has(node.id) || removed.has(node.id)) continue;
    for (const { id } of graph.inOrderFrom(node)) removed.add(id);
    if (node !== root) reopenAround(node, graph, { removed, reopened });
  }
  if (expandAnew) {
    for (const id of reopened) {
      const node = graph.nodes.get(id)!;
      if (removed.has(id) || (node.type !== "TaskGroup" && node.type !== "StepGroup")) continue;
      for (const descendant of graph.descendantsOf(node)) removed.add(descendant.id);
    }
  }
  return { removed, reopened };
}

/** Whether something after a failed node succeeded, and stays. An attempt is judged by the node it is an attempt of. */
function wentOnAfter(node: NodeStatus, graph: NodeGraph, picked: ReadonlySet<string>): boolean {
  const judged = node.nodeFlag?.retried ? retryOf(node, graph) : node;
  return graph.descendantsOf(judged).some(({ id, phase }) => phase === "Succeeded" && !picked.has(id));
}

function retryOf(attempt: NodeStatus, graph: NodeGraph): NodeStatus {
  for (const node of graph.nodes.values()) {
    if (node.type === "Retry" && node.children?.includes(attempt.id)) return node;
  }
  return attempt;
}

interface Plan {
  readonly removed: Set<string>;
  readonly reopened: Set<string>;
}

/** Opens what a removed node stands in: back over what ran before it to the nearest group, and from there outwards. */
function reopenAround(start: NodeStatus, graph: NodeGraph, plan: Plan): void {
  let node: NodeStatus | undefined = start;
  while (node) {
    if (GROUPS.includes(node.type)) return reopenOutwards(node, graph, plan);
    if (node.type === "Retry" && isFailedNode(node)) plan.reopened.add(node.id);
    if (node.type === "Container") {
      node = podOf(node, graph);
      // Containers of a set share a pod: they are run together.
      if (node) { for (const { id } of graph.inOrderFrom(node)) plan.removed.add(id); }
    }
    node = node && graph.parentOf(node);
  }
}

function podOf(container: NodeStatus, graph: NodeGraph): NodeStatus | undefined {
  let node: NodeStatus | undefined = container;
  while (node && node.type !== "Pod") node = graph.parentOf(node);
  return node;
}

/** Opens a group, the retry and the group right before it, and so on with the node that holds it. */
function reopenOutwards(group: NodeStatus, graph: NodeGraph, { reopened }: Plan): void {
  let node: NodeStatus | undefined = group;
  while (node) {
    reopened.add(node.id);
    let parent = graph.parentOf(node);
    if (parent?.type === "Retry") {
      reopened.add(parent.id);
      node = parent;
      parent = graph.parentOf(node);
    }
    if (parent?.type === "StepGroup" || parent?.type === "TaskGroup") reopened.add(parent.id);
    node = graph.nodes.get(node.boundaryID ?? "");
  }
}
