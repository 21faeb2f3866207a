/**
 * Pods of an earlier life of their node: of one that was taken out of the status to be run again, or of one that is made
 * anew. Nothing they say counts, and the node's next pod can only be made when they are gone: it has the same name.
 */
import type { Pod, Workflow } from "../../lib/api/mod.ts";
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
export function sortOutLeftovers(workflow: Workflow, observed: Observed): Sorted {
  const { nodes = {}, compressedNodes, offloadNodeStatusVersion } = workflow.status ?? {};
  const leftovers = new Map<string, Pod>();
  // Nodes that are kept elsewhere are not missing.
  if (compressedNodes || offloadNodeStatusVersion) return { observed, leftovers };
  for (const [id, pod] of observed.pods) {
    const node = nodes[id];
    if (node ? node.restartingPodUID === pod.metadata.uid && node.restartingPodUID : isOwnedBy(pod, workflow)) {
      leftovers.set(id, pod);
    }
  }
  if (leftovers.size === 0) return { observed, leftovers };
  const pods = new Map([...observed.pods].filter(([id]) => !leftovers.has(id)));
  return { observed: { ...observed, pods }, leftovers };
}

function isOwnedBy(pod: Pod, workflow: Workflow): boolean {
  return pod.metadata.ownerReferences?.some(({ uid }) => uid === workflow.metadata.uid) === true;
}
