/**
 * Pods of an earlier life of their node: of one that was taken out of the status to be run again, or of one that is made
 * anew. Nothing they say counts, and the node's next pod can only be made when they are gone: it has the same name.
 */
import type { NodeStatus, Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION, ENV } from "@tiphys/base/constants";
import type { NodeTable } from "../nodes/node_table.ts";
import { ownVariable } from "./own_variable.ts";
import type { Observed } from "../types.ts";

/** The pods that count, and, by node ID, those of the others that are in the way. */
export interface SortedPods {
  readonly pods: ReadonlyMap<string, Pod>;
  readonly leftovers: ReadonlyMap<string, Pod>;
}

/**
 * Sorts them out; `select` names the pods of which something is true. A node is written before its pod is made, so a pod of
 * ours without a node is from before: the node was taken out since.
 */
export function leftoverPods(
  workflow: Workflow,
  { pods }: Pick<Observed, "pods">,
  nodes: Pick<NodeTable, "get">,
  select: (isTrue: (id: string) => boolean) => ReadonlySet<string>,
): SortedPods {
  const { compressedNodes, offloadNodeStatusVersion } = workflow.status ?? {};
  const leftovers = new Map<string, Pod>();
  // Nodes that are kept elsewhere are not missing.
  if (compressedNodes || offloadNodeStatusVersion) return { pods, leftovers };
  const ids = select((id) => {
    const pod = pods.get(id);
    return pod !== undefined && isLeftover(pod, nodes.get(id), workflow);
  });
  if (ids.size === 0) return { pods, leftovers };
  for (const id of ids) {
    const pod = pods.get(id)!;
    if (hasSeen(workflow, pod)) leftovers.set(id, pod);
  }
  return { pods: new Map([...pods].filter(([id]) => !ids.has(id))), leftovers };
}

function isLeftover(pod: Pod, node: NodeStatus | undefined, { metadata }: Workflow): boolean {
  // Two names may have the same hash: after a retry the ID of one may belong to the other.
  if (node && (pod.metadata.annotations?.[ANNOTATION.nodeName] ?? node.name) !== node.name) return true;
  if (node) return Boolean(node.restartingPodUID) && node.restartingPodUID === pod.metadata.uid;
  return pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true;
}

/**
 * Whether this state of the workflow is the one that the pod comes of, or a later one. To an earlier one the pod is neither
 * a leftover nor one of its nodes': what it is will be seen.
 */
function hasSeen({ metadata }: Workflow, pod: Pod): boolean {
  const decidedOn = ownVariable(pod, ENV.decidedOn) ?? "";
  if (!/^\d+$/.test(decidedOn) || !/^\d+$/.test(metadata.resourceVersion ?? "")) return true;
  return BigInt(metadata.resourceVersion!) >= BigInt(decidedOn);
}
