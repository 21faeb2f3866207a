/** The nodes that a memoized resubmit copies from the earlier run. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFulfilled, nodeIDs, nodesOf, onExitNodeName, ORIGINAL_POD, timeText } from "@tiphys/model/status";
import { nodesToContinue } from "./retry.ts";

/**
 * Returns the nodes of a workflow under the name of the new workflow, as a retry leaves them: without failed nodes and
 * those after them. Pods that succeeded are skipped, and their outputs are kept. Node IDs are computed again in this
 * order, because two names whose hashes collide under the old workflow name may not collide under the new one, and vice
 * versa. Set `mustExpandAgain` if the arguments have changed.
 */
export function memoizedNodes(
  workflow: Workflow,
  { newName, mustExpandAgain: mustExpandAgain, now }: {
    readonly newName: string;
    readonly mustExpandAgain: boolean;
    readonly now: Date;
  },
): Record<string, NodeStatus> {
  const oldName = workflow.metadata.name ?? "";
  const renamed = (name: string) => name.startsWith(oldName) ? newName + name.slice(oldName.length) : name;
  const kept = Object.values(nodesToContinue(workflow, mustExpandAgain, now));
  const openHandlers = new Set(nodesOf(workflow).filter(({ nodeFlag }) => nodeFlag?.hooked).map(({ name }) => name));
  for (const node of kept) if (isFulfilled(node)) openHandlers.delete(node.name);
  const idsByName = nodeIDs(newName, kept.map(({ name }) => renamed(name)));
  const newIds = new Map(kept.map(({ id, name }) => [id, idsByName.get(renamed(name))!]));
  const newIdsOf = (ids: readonly string[]) => ids.flatMap((id) => newIds.get(id) ?? []);
  const memoized: Record<string, NodeStatus> = {};
  for (const node of kept) {
    const id = newIds.get(node.id)!;
    const { boundaryID, children, outboundNodes, ...rest } = memoizedNode(node, openHandlers, now);
    memoized[id] = {
      ...rest,
      id,
      name: renamed(node.name),
      displayName: node.name === oldName ? newName : node.displayName,
      ...(boundaryID ? { boundaryID: newIds.get(boundaryID) ?? boundaryID } : {}),
      ...(children ? { children: newIdsOf(children) } : {}),
      ...(outboundNodes ? { outboundNodes: newIdsOf(outboundNodes) } : {}),
    };
  }
  return memoized;
}

/**
 * A pod that succeeded is skipped. It stays Succeeded if its exit handler must run again, because the handler of a
 * skipped node does not run.
 */
function memoizedNode(node: NodeStatus, openHandlers: ReadonlySet<string>, now: Date): NodeStatus {
  if (node.type !== "Pod" || node.phase !== "Succeeded") return node;
  const message = `${ORIGINAL_POD}${node.id}`;
  if (openHandlers.has(onExitNodeName(node.name))) return { ...node, message };
  return { ...node, startedAt: timeText(now), finishedAt: timeText(now), type: "Skipped", phase: "Skipped", message };
}
