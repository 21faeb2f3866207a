/**
 * Ends unfinished nodes inside a node that has ended by `failFast`, an error or as an attempt. No pass evaluates them
 * anymore, so waiting ones would wait forever, with their locks, and so would the DAG around them. Existing pods run to
 * their end, as in Argo, and the nodes around them end with the last pod.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { compareText } from "@tiphys/base/go";
import { shortened } from "@tiphys/base/limits";
import { isCompleted, isDaemoned, isFulfilled, lastAttempt } from "@tiphys/model/status";
import { isSingleContainer } from "../pod/mod.ts";
import { LimitError } from "../allowance.ts";
import type { NodesDraft, PodsDraft, RequestsDraft, Slice } from "../slice.ts";
import { endDaemon } from "./daemons.ts";

/** The message of a node that `failFast` ended. */
export const FAIL_FAST = "template has failed or errored children and failFast enabled";

/** Ends the unfinished nodes inside all ended nodes. Returns whether this changed a node. */
export function endUnfinishedNodes(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const before = pass.draft.nodes.endedWithOpenNodes;
  if (before.size === 0) return false;
  let hasChanged = false;
  for (const id of innermostFirst(pass, before)) hasChanged = endDescendants(pass, id).hasChanged || hasChanged;
  return hasChanged;
}

/**
 * Sorts nodes so that those inside of others come first, whose names are longer. An ended node then names the innermost
 * one that ended it, also after a restart of the controller, which reads nodes in another order.
 */
function innermostFirst({ draft: { nodes } }: Slice<NodesDraft>, ids: Iterable<string>): string[] {
  const named = [...ids].map((id) => ({ id, name: nodes.nameOf(id) ?? "" }));
  named.sort((a, b) => b.name.length - a.name.length || compareText(a.name, b.name));
  return named.map(({ id }) => id);
}

/**
 * Ends the unfinished nodes of a workflow that ends, except for its entry node, which determines the workflow's phase,
 * and pods in which a process is running. Returns true if no such pods exist.
 */
export function endNodesOfWorkflow(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const { nodes } = pass.draft;
  const entryId = nodes.idOf(pass.name);
  const options: EndOptions = {
    message: "ended with the workflow",
    ancestors: new Set(),
    keepsRunning: (node: NodeStatus) => hasRunningProcess(pass, node),
  };
  let hasRunningPods = false;
  for (const id of [...nodes.openIn("")]) {
    const node = nodes.get(id)!;
    const { hasRunningPods: isRunning } = id === entryId && node.type !== "Pod"
      ? endNodesInside(pass, id, options)
      : endNode(pass, node, options);
    hasRunningPods = isRunning || hasRunningPods;
  }
  for (const id of [...nodes.endedWithOpenNodes]) {
    hasRunningPods = endNodesInside(pass, id, options).hasRunningPods || hasRunningPods;
  }
  return !hasRunningPods;
}

/** Whether a process runs in a pod: its executor has created the task result, or it is a single-container pod. */
function hasRunningProcess(pass: Slice, node: NodeStatus): boolean {
  const pod = pass.facts.pods.get(node.id);
  return pod?.status?.phase === "Running" && (node.taskResultSynced === false || isSingleContainer(pod));
}

/** The way in which nodes are ended. */
interface EndOptions {
  readonly message: string;
  /** The IDs of the visited nodes around the one that is being ended, to detect cycles. */
  readonly ancestors: Set<string>;
  /** Whether a pod runs to its end. */
  readonly keepsRunning: (node: NodeStatus) => boolean;
}

/** The result of ending nodes. */
interface EndResult {
  /** Whether pods in them continue to run. */
  readonly hasRunningPods: boolean;
  readonly hasChanged: boolean;
}

/** Ends the unfinished nodes inside a node that has ended. */
export function endDescendants(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, id: string): EndResult {
  const outer = pass.draft.nodes.get(id);
  const message = outer?.message === FAIL_FAST ? FAIL_FAST : `ended because ${outer?.name} has ended`;
  return endNodesInside(pass, id, { message, ancestors: new Set(), keepsRunning: (node) => pass.hasPod(node.id) });
}

/**
 * Ends the unfinished nodes inside a node.
 * @throws {LimitError} if the node contains itself, which is only possible in a status that somebody else wrote.
 */
function endNodesInside(
  pass: Slice<NodesDraft & PodsDraft & RequestsDraft>,
  outerId: string,
  options: EndOptions,
): EndResult {
  if (options.ancestors.has(outerId)) throw new LimitError(cycleMessage(pass, outerId));
  options.ancestors.add(outerId);
  const result = endEachInside(pass, outerId, options);
  options.ancestors.delete(outerId);
  return result;
}

function cycleMessage(pass: Slice, id: string): string {
  const name = shortened(pass.draft.nodes.nameOf(id) ?? id);
  return `status.nodes[${
    JSON.stringify(shortened(id))
  }] (${name}) contains itself: its boundaryID chain leads back to it`;
}

function endEachInside(
  pass: Slice<NodesDraft & PodsDraft & RequestsDraft>,
  outerId: string,
  options: EndOptions,
): EndResult {
  const { nodes } = pass.draft;
  const members = [...nodes.openIn(outerId)].map((id) => nodes.get(id)!);
  let hasRunningPods = false;
  let hasChanged = false;
  const end = (node: NodeStatus) => {
    const result = endNode(pass, node, options);
    hasRunningPods = result.hasRunningPods || hasRunningPods;
    hasChanged = result.hasChanged || hasChanged;
  };
  for (const node of members) if (!isGroup(node) && !isDaemoned(node)) end(node);
  // Groups and daemons end after all other nodes inside the same node.
  if (hasRunningPods) return { hasRunningPods, hasChanged };
  for (const node of members) if (isGroup(node)) end(node);
  for (const node of members) {
    if (!isDaemoned(nodes.get(node.id)!)) continue;
    endDaemon(pass, node);
    hasChanged = true;
  }
  return { hasRunningPods, hasChanged };
}

function isGroup({ type }: NodeStatus): boolean {
  return type === "StepGroup" || type === "TaskGroup";
}

function endNode(
  pass: Slice<NodesDraft & PodsDraft & RequestsDraft>,
  node: NodeStatus,
  options: EndOptions,
): EndResult {
  const isPod = node.type === "Pod";
  if (isPod && options.keepsRunning(node)) return { hasRunningPods: true, hasChanged: false };
  const inside = endNodesInside(pass, node.id, options);
  const current = pass.draft.nodes.get(node.id)!;
  if (inside.hasRunningPods || isFulfilled(current)) return inside;
  const last = lastAttempt(current, pass.draft.nodes);
  if (last && isCompleted(last)) {
    pass.draft.mark(current.id, last.phase!, last.message);
    pass.draft.update(current.id, { outputs: last.outputs });
  } else pass.draft.mark(current.id, "Failed", options.message);
  if (current.synchronizationStatus) pass.draft.update(current.id, { synchronizationStatus: undefined });
  if (isPod) {
    pass.draft.cancelPod(current.id);
    if (current.taskResultSynced === false) pass.draft.update(current.id, { taskResultSynced: true });
  }
  return { hasRunningPods: false, hasChanged: true };
}
