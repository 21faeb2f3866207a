/**
 * Nodes that were left behind: open although an enclosing node has ended. No pass evaluates such a node again, so a
 * waiting one would wait forever, with its locks; only an existing pod ends by itself.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { attemptIndex, isCompleted, isFulfilled, loopHolderName, withoutAttemptOrHook } from "@tiphys/model/status";

type Nodes = Readonly<Record<string, NodeStatus>>;

/**
 * Returns a line for each node that was left behind in a status; `ends` decides which nodes end by themselves, such as
 * existing pods.
 */
export function nodesLeftBehind(
  nodes: Nodes,
  ends: (node: NodeStatus) => boolean = (node) => node.type === "Pod" && !node.synchronizationStatus?.waiting,
): string[] {
  const all = Object.values(nodes);
  const byName = new Map(all.map((node) => [node.name, node]));
  const open = all.filter((node) => !isFulfilled(node) && !isCompleted(node));
  // The enclosing nodes of an open pod may be open, too: they end with the last of them. So do its containers.
  const excused = new Set<NodeStatus>();
  for (const node of open) {
    if (node.type === "Container") excused.add(node);
    if (!ends(node)) continue;
    for (const around of [node, ...allNodesAround(node, nodes, byName)]) excused.add(around);
  }
  // A group lasts as long as another node in it runs.
  for (const node of open) if (isGroup(node) && excused.has(nodes[node.boundaryID ?? ""]!)) excused.add(node);
  return open.filter((node) => !excused.has(node)).flatMap((node) => {
    const ended = allNodesAround(node, nodes, byName).find((around) => isFulfilled(around) && !around.daemoned);
    return ended ? [`${node.name} is ${node.phase}, and ${ended.name}, in which it lies, is ${ended.phase}`] : [];
  });
}

function isGroup({ type }: NodeStatus): boolean {
  return type === "StepGroup" || type === "TaskGroup";
}

/** The enclosing nodes of a node: Retry node, loop and boundary, then those of each. */
function allNodesAround(node: NodeStatus, nodes: Nodes, byName: ReadonlyMap<string, NodeStatus>): NodeStatus[] {
  const found = new Set<NodeStatus>([node]);
  for (const node of found) for (const around of nodesAround(node, nodes, byName)) found.add(around);
  found.delete(node);
  return [...found];
}

function nodesAround(node: NodeStatus, nodes: Nodes, byName: ReadonlyMap<string, NodeStatus>): NodeStatus[] {
  const boundary = node.boundaryID === undefined ? undefined : nodes[node.boundaryID];
  const isAttempt = node.nodeFlag?.retried && attemptIndex(node.name) !== undefined;
  const retry = isAttempt ? byName.get(withoutAttemptOrHook(node.name)) : undefined;
  const loop = boundary?.type === "DAG" ? byName.get(loopHolderName(node.name, boundary.name)) : undefined;
  return [retry, loop, boundary].filter((around) => around !== undefined && around !== node) as NodeStatus[];
}
