/**
 * The end of what lies in a node that has ended, by `failFast`, an error or as an attempt: nothing looks at it any more, so
 * what waits would wait for ever, with its locks, and so would the DAG around it. Pods that are there run to their end, as
 * in the peer, and what they lie in ends with the last of them.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { shortened } from "@tiphys/base/limits";
import { isCompleted, isDaemoned, isFulfilled, lastAttempt } from "@tiphys/model/status";
import { isSingleContainer } from "../pod/mod.ts";
import { LimitError } from "../allowance.ts";
import type { NodesDraft, PodsDraft, RequestsDraft, Slice } from "../slice.ts";
import { endDaemon } from "./daemons.ts";

/** The message of a template that was ended by `failFast`. */
export const FAIL_FAST = "template has failed or errored children and failFast enabled";

/** Ends what was left behind anywhere; true where something was. */
export function endLeftBehind(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const before = pass.draft.nodes.leftBehind;
  if (before.size === 0) return false;
  let isNews = false;
  for (const id of [...before]) isNews = endBelow(pass, id).isNews || isNews;
  return isNews;
}

/**
 * Ends what the workflow leaves behind when it ends: all but its entry node, which tells how it ended, and pods in which
 * something is at work already. True when there are none of those.
 */
export function endAllBelow(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>): boolean {
  const { nodes } = pass.draft;
  const entryId = nodes.idOf(pass.name);
  const how: How = {
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

/** Whether something is at work in a pod: its executor opened the report, or opens none as it is the only container. */
function isAtWork(pass: Slice, node: NodeStatus): boolean {
  const pod = pass.facts.pods.get(node.id);
  return pod?.status?.phase === "Running" && (node.taskResultSynced === false || isSingleContainer(pod));
}

/** How nodes are to be ended. */
interface How {
  readonly message: string;
  /** The nodes that the one which is being ended lies in, as far as that was walked. */
  readonly around: Set<string>;
  /** Whether a pod is to run to its end. */
  readonly runsOn: (node: NodeStatus) => boolean;
}

/** What became of nodes that were to be ended. */
interface Ending {
  /** Pods run in them, which are not ended. */
  readonly runs: boolean;
  readonly isNews: boolean;
}

/** Ends what lies in a node that has ended. */
export function endBelow(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, id: string): Ending {
  const holder = pass.draft.nodes.get(id);
  const message = holder?.message === FAIL_FAST ? FAIL_FAST : `ended with ${holder?.name}, in which it lay`;
  return endMembers(pass, id, { message, around: new Set(), runsOn: (node) => pass.hasPod(node.id) });
}

/**
 * Ends what lies in a node.
 * @throws {LimitError} where the node lies in itself, as only a status says that somebody else wrote.
 */
function endMembers(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, holderId: string, how: How): Ending {
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

function endEachIn(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, holderId: string, how: How): Ending {
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
  // Groups and daemons last as long as something runs beside them.
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

function endNode(pass: Slice<NodesDraft & PodsDraft & RequestsDraft>, node: NodeStatus, how: How): Ending {
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
