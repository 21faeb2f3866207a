/**
 * Pods of an earlier run of their node, which was removed from the status for a retry or whose pod is restarted. Their
 * state is ignored. The node's next pod has the same name, so it is created only after they are deleted.
 */
import type { NodeStatus, Pod, Workflow } from "@tiphys/model/api";
import { ANNOTATION, ENV } from "@tiphys/base/constants";
import type { NodeTable } from "../nodes/node_table.ts";
import { controllerVariable } from "./controller_variable.ts";
import type { ObservedState } from "../types.ts";

/** The current pods and the leftover pods, which must be deleted, by node ID. */
export interface SeparatedPods {
  readonly pods: ReadonlyMap<string, Pod>;
  readonly leftovers: ReadonlyMap<string, Pod>;
}

/**
 * Separates leftover pods from the current ones. `select` returns the IDs for which a predicate holds. A node is
 * written before its pod is created, so the pod of a missing node is from an earlier run: the node has been removed
 * since.
 */
export function separateLeftovers(
  workflow: Workflow,
  { pods }: Pick<ObservedState, "pods">,
  nodes: Pick<NodeTable, "get">,
  select: (isTrue: (id: string) => boolean) => ReadonlySet<string>,
): SeparatedPods {
  const { compressedNodes, offloadNodeStatusVersion } = workflow.status ?? {};
  const leftovers = new Map<string, Pod>();
  // Compressed and offloaded nodes are not missing.
  if (compressedNodes || offloadNodeStatusVersion) return { pods, leftovers };
  const ids = select((id) => {
    const pod = pods.get(id);
    return pod !== undefined && isLeftover(pod, nodes.get(id), workflow);
  });
  if (ids.size === 0) return { pods, leftovers };
  for (const id of ids) {
    const pod = pods.get(id)!;
    if (isCurrentForPod(workflow, pod)) leftovers.set(id, pod);
  }
  return { pods: new Map([...pods].filter(([id]) => !ids.has(id))), leftovers };
}

function isLeftover(pod: Pod, node: NodeStatus | undefined, { metadata }: Workflow): boolean {
  // Names may have the same hash: after a retry, the ID of a removed node may belong to another one.
  if (node && (pod.metadata.annotations?.[ANNOTATION.nodeName] ?? node.name) !== node.name) return true;
  if (node) return Boolean(node.restartingPodUID) && node.restartingPodUID === pod.metadata.uid;
  return pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true;
}

/**
 * Whether this version of the workflow is at least the one for which the pod was created. In an older version, the pod
 * counts neither as leftover nor as current, until the newer version is observed.
 */
function isCurrentForPod({ metadata }: Workflow, pod: Pod): boolean {
  const decidedOn = controllerVariable(pod, ENV.decidedOn) ?? "";
  if (!/^\d+$/.test(decidedOn) || !/^\d+$/.test(metadata.resourceVersion ?? "")) return true;
  return BigInt(metadata.resourceVersion!) >= BigInt(decidedOn);
}
