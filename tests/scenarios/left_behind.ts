/**
 * Nodes that were left behind: open although what they lie in has ended. Nothing looks at such a node any more, so one
 * that waits would wait for ever, with its locks; only a pod that is there comes to its end by itself.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { attemptIndex, isCompleted, isFulfilled, loopHolderName, withoutAttemptOrHook } from "@tiphys/model/status";

type Nodes = Readonly<Record<string, NodeStatus>>;

/** Says, one line a node, what was left behind in a status; `ends` says which nodes end by themselves, as pods that are there. */
export function leftBehind(
  nodes: Nodes,
  ends: (node: NodeStatus) => boolean = (node) => node.type === "Pod" && !node.synchronizationStatus?.waiting,
): string[] {
  const all = Object.values(nodes);
  const byName = new Map(all.map((node) => [node.name, node]));
  const open = all.filter((node) => !isFulfilled(node) && !isCompleted(node));
  // What an open pod lies in may be open, too: it ends with the last of them. So do its containers.
  const excused = new Set<NodeStatus>();
  for (const node of open) {
    if (node.type === "Container") excused.add(node);
    if (!ends(node)) continue;
    for (const around of [node, ...everythingAround(node, nodes, byName)]) excused.add(around);
  }
  // A group lasts as long as something runs beside it.
  for (const node of open) if (isGroup(node) && excused.has(nodes[node.boundaryID ?? ""]!)) excused.add(node);
  return open.filter((node) => !excused.has(node)).flatMap((node) => {
    const ended = everythingAround(node, nodes, byName).find((around) => isFulfilled(around) && !around.daemoned);
    return ended ? [`${node.name} is ${node.phase}, and ${ended.name}, in which it lies, is ${ended.phase}`] : [];
  });
}

function isGroup({ type }: NodeStatus): boolean {
  return type === "StepGroup" || type === "TaskGroup";
}

/** The nodes that a node lies in: Retry node, loop and boundary, then those of each. */
function everythingAround(node: NodeStatus, nodes: Nodes, byName: ReadonlyMap<string, NodeStatus>): NodeStatus[] {
  const found = new Set<NodeStatus>([node]);
  for (const one of found) for (const around of nodesAround(one, nodes, byName)) found.add(around);
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
