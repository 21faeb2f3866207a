/** The nodes that a resubmitted workflow remembers of the earlier run. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { exitHandlerNodes, isFailure, NodeFamily, nodeGraph, nodeID, timeText } from "../status/mod.ts";

/**
 * The nodes of a workflow under a new workflow's name: pods that succeeded are skipped (their outputs stay), everything
 * else is to be done; the exit handler and what was skipped for nothing are forgotten.
 */
export function rememberedNodes(workflow: Workflow, newName: string, now: Date): Record<string, NodeStatus> {
  const oldName = workflow.metadata.name ?? "";
  const graph = nodeGraph(workflow.status?.nodes ?? {});
  const renamed = (name: string) => name.startsWith(oldName) ? newName + name.slice(oldName.length) : name;
  const newId = (id: string) => nodeID(newName, renamed(graph.nodes.get(id)?.name ?? id));
  const forgotten = new Set(exitHandlerNodes(oldName, new NodeFamily(graph)).map(({ id }) => id));
  const gotFurther = graph.ancestorsOf([...graph.nodes.values()].filter(({ phase }) => phase === "Succeeded"));
  const remembered: Record<string, NodeStatus> = {};
  for (const node of graph.nodes.values()) {
    // A node that was skipped, and nothing after it succeeded: whether it is skipped again is decided anew.
    if (forgotten.has(node.id) || node.type === "Skipped" && !gotFurther.has(node)) continue;
    const id = newId(node.id);
    remembered[id] = {
      ...outcome(node, now),
      id,
      name: renamed(node.name),
      displayName: node.name === oldName ? newName : node.displayName,
      ...(node.boundaryID ? { boundaryID: newId(node.boundaryID) } : {}),
      ...(node.children ? { children: node.children.map(newId) } : {}),
      ...(node.outboundNodes ? { outboundNodes: node.outboundNodes.map(newId) } : {}),
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
