/**
 * Pods of an earlier life of their node: of one that was taken out of the status to be run again, or of one that is made
 * anew. Nothing they say counts, and the node's next pod can only be made when they are gone: it has the same name.
 */
import type { NodeStatus, Pod, Workflow } from "../../lib/api/mod.ts";
import type { Attention } from "./attention.ts";
import type { NodeTable } from "./node_table.ts";
import type { Observed } from "./types.ts";

/** The facts without the pods that do not count, and those pods by node ID. */
export interface Sorted {
  readonly observed: Observed;
  readonly leftovers: ReadonlyMap<string, Pod>;
}

/**
 * Sorts them out. A node is written before its pod is made, so a pod of ours without a node is from before: the node was
 * taken out since.
 */
export function sortOutLeftovers(
  workflow: Workflow,
  observed: Observed,
  nodes: NodeTable,
  attention: Attention,
): Sorted {
  const { compressedNodes, offloadNodeStatusVersion } = workflow.status ?? {};
  const leftovers = new Map<string, Pod>();
  // Nodes that are kept elsewhere are not missing.
  if (compressedNodes || offloadNodeStatusVersion) return { observed, leftovers };
  const ids = attention.select("leftover", observed.pods.keys(), nodes.changed.keys(), (id) => {
    const pod = observed.pods.get(id);
    return pod !== undefined && isLeftover(pod, nodes.get(id), workflow);
  });
  if (ids.size === 0) return { observed, leftovers };
  for (const id of ids) leftovers.set(id, observed.pods.get(id)!);
  const pods = new Map([...observed.pods].filter(([id]) => !ids.has(id)));
  return { observed: { ...observed, pods }, leftovers };
}

function isLeftover(pod: Pod, node: NodeStatus | undefined, { metadata }: Workflow): boolean {
  if (node) return Boolean(node.restartingPodUID) && node.restartingPodUID === pod.metadata.uid;
  return pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true;
}
