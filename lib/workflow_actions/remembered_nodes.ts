/** The nodes that a resubmitted workflow remembers of the earlier run. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { exitHandlerNodes, isFailure, NodeFamily, nodeGraph, nodeIDs, timeText } from "../status/mod.ts";

/**
 * Returns the nodes of a workflow under a new workflow's name: pods that succeeded are skipped (their outputs stay),
 * everything else is to be done. The exit handler and the nodes that were skipped without a later success are forgotten.
 * No node refers to a forgotten one. The IDs are those that the nodes get in this order: two names that shared an ID's
 * hash under the old name need not share it under the new one, and the reverse.
 */
export function rememberedNodes(workflow: Workflow, newName: string, now: Date): Record<string, NodeStatus> {
  const oldName = workflow.metadata.name ?? "";
  const graph = nodeGraph(workflow.status?.nodes ?? {});
  const renamed = (name: string) => name.startsWith(oldName) ? newName + name.slice(oldName.length) : name;
  const forgotten = new Set(exitHandlerNodes(oldName, new NodeFamily(graph)).map(({ id }) => id));
  const gotFurther = graph.ancestorsOf([...graph.nodes.values()].filter(({ phase }) => phase === "Succeeded"));
  const kept = [...graph.nodes.values()].filter((node) =>
    // A node that was skipped without a later success: whether it is skipped again is decided again.
    !forgotten.has(node.id) && (node.type !== "Skipped" || gotFurther.has(node))
  );
  const idsByName = nodeIDs(newName, kept.map(({ name }) => renamed(name)));
  const newIds = new Map(kept.map(({ id, name }) => [id, idsByName.get(renamed(name))!]));
  const renew = (ids: readonly string[]) => ids.flatMap((id) => newIds.get(id) ?? []);
  const remembered: Record<string, NodeStatus> = {};
  for (const node of kept) {
    const id = newIds.get(node.id)!;
    const { boundaryID, children, outboundNodes, ...rest } = outcome(node, now);
    remembered[id] = {
      ...rest,
      id,
      name: renamed(node.name),
      displayName: node.name === oldName ? newName : node.displayName,
      ...(boundaryID ? { boundaryID: newIds.get(boundaryID) ?? boundaryID } : {}),
      ...(children ? { children: renew(children) } : {}),
      ...(outboundNodes ? { outboundNodes: renew(outboundNodes) } : {}),
    };
  }
  return remembered;
}

function outcome(node: NodeStatus, now: Date): NodeStatus {
  const { message: _message, startedAt: _startedAt, finishedAt: _finishedAt, ...rest } = node;
  if (node.type === "Pod" && isFailure(node.phase)) return { ...rest, phase: "Pending" };
  const times = { startedAt: timeText(now), finishedAt: timeText(now) };
  if (node.type !== "Pod") return { ...rest, ...times, phase: "Pending" };
  return { ...rest, ...times, type: "Skipped", phase: "Skipped", message: `original pod: ${node.id}` };
}
