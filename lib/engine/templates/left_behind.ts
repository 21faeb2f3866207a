/**
 * The end of unfinished nodes inside a node that has ended by `failFast`, an error or as an attempt. No pass evaluates them
 * anymore, so waiting ones would wait forever, with their locks, and so would the DAG around them. Existing pods run to their
 * end, as in Argo, and the nodes around them end with the last pod.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { isCompleted, isDaemoned, isFulfilled, lastAttempt } from "@tiphys/model/status";
import { isSingleContainer } from "../pod/mod.ts";
import { LimitError } from "../allowance.ts";
import type { NodesDraft, PodsDraft, RequestsDraft, Slice } from "../slice.ts";
import { endDaemon } from "./daemons.ts";

/** The message of a node that `failFast` ended. */
export const FAIL_FAST = "template has failed or errored children and failFast enabled";

/** Ends all nodes that were left behind. Returns whether this changed a node. */
export function endLeftBehind(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const before = pass.draft.nodes.leftBehind;
  if (before.size === 0) return false;
  let isNews = false;
  for (const id of [...before]) isNews = endBelow(pass, id).isNews || isNews;
  return isNews;
}

/**
 * Ends the unfinished nodes of a workflow that ends, except for its entry node, which determines the workflow's phase, and
 * pods in which a process is running. Returns true if no such pods exist.
 */
export function endAllBelow(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const { nodes } = pass.draft;
  const entryId = nodes.idOf(pass.name);
  const how: EndOptions = {
    message: "ended with the workflow",
    around: new Set(),
    runsOn: (node: NodeStatus) => isAtWork(pass, node),
  };
  let runs = false;
  for (const id of [...nodes.openIn("")]) {
    const node = nodes.get(id)!;
    const { runs: isRunning } = id === entryId && node.type !== "Pod"
      ? endMembers(pass, id, how)
      : endNode(pass, node, how);
    runs = isRunning || runs;
  }
  for (const id of [...nodes.leftBehind]) runs = endMembers(pass, id, how).runs || runs;
  return !runs;
}

/** Whether a process runs in a pod: its executor has created the task result, or it is a single-container pod. */
function isAtWork(pass: Slice, node: NodeStatus): boolean {
  const pod = pass.facts.pods.get(node.id);
  return pod?.status?.phase === "Running" && (node.taskResultSynced === false || isSingleContainer(pod));
}

/** The way in which nodes are ended. */
interface EndOptions {
  readonly message: string;
  /** The IDs of the visited nodes around the one that is being ended, to detect cycles. */
  readonly around: Set<string>;
  /** Whether a pod runs to its end. */
  readonly runsOn: (node: NodeStatus) => boolean;
}

/** The result of ending nodes. */
interface Ending {
  /** Whether pods in them continue to run. */
  readonly runs: boolean;
  readonly isNews: boolean;
}

/** Ends the unfinished nodes inside a node that has ended. */
export function endBelow(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, id: string): Ending {
  const holder = pass.draft.nodes.get(id);
  const message = holder?.message === FAIL_FAST ? FAIL_FAST : `ended with ${holder?.name}, in which it lay`;
  return endMembers(pass, id, { message, around: new Set(), runsOn: (node) => pass.hasPod(node.id) });
}

/**
 * Ends the unfinished nodes inside a node.
 * @throws {LimitError} if the node contains itself, which is only possible in a status that somebody else wrote.
 */
function endMembers(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, holderId: string, how: EndOptions): Ending {
  if (how.around.has(holderId)) throw new LimitError(liesInItself(pass, holderId));
  how.around.add(holderId);
  const ending = endEachIn(pass, holderId, how);
  how.around.delete(holderId);
  return ending;
}

function liesInItself(pass: Slice, id: string): string {
  const name = shortened(pass.draft.nodes.nameOf(id) ?? id);
  return `status.nodes[${JSON.stringify(shortened(id))}] (${name}) lies in itself: boundaryID leads back to it`;
}

function endEachIn(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, holderId: string, how: EndOptions): Ending {
  const { nodes } = pass.draft;
  const members = [...nodes.openIn(holderId)].map((id) => nodes.get(id)!);
  let runs = false;
  let isNews = false;
  const end = (node: NodeStatus) => {
    const ending = endNode(pass, node, how);
    runs = ending.runs || runs;
    isNews = ending.isNews || isNews;
  };
  for (const node of members) if (!isGroup(node) && !isDaemoned(node)) end(node);
  // Groups and daemons end after all other nodes inside the same node.
  if (runs) return { runs, isNews };
  for (const node of members) if (isGroup(node)) end(node);
  for (const node of members) {
    if (!isDaemoned(nodes.get(node.id)!)) continue;
    endDaemon(pass, node);
    isNews = true;
  }
  return { runs, isNews };
}

function isGroup({ type }: NodeStatus): boolean {
  return type === "StepGroup" || type === "TaskGroup";
}

function endNode(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, node: NodeStatus, how: EndOptions): Ending {
  const isPod = node.type === "Pod";
  if (isPod && how.runsOn(node)) return { runs: true, isNews: false };
  const below = endMembers(pass, node.id, how);
  const now = pass.draft.nodes.get(node.id)!;
  if (below.runs || isFulfilled(now)) return below;
  const last = lastAttempt(now, pass.draft.nodes);
  if (last && isCompleted(last)) {
    pass.draft.mark(now.id, last.phase!, last.message);
    pass.draft.update(now.id, { outputs: last.outputs });
  } else pass.draft.mark(now.id, "Failed", how.message);
  if (now.synchronizationStatus) pass.draft.update(now.id, { synchronizationStatus: undefined });
  if (isPod) {
    pass.draft.dropPod(now.id);
    if (now.taskResultSynced === false) pass.draft.update(now.id, { taskResultSynced: true });
  }
  return { runs: false, isNews: true };
}
