/** The pod of a node, and the node of a pod. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { ANNOTATION } from "../constants.ts";
import { podName, podNameVersion } from "./names.ts";
import { templateNameOf } from "./node_state.ts";
import { nodesOf } from "./workflow_state.ts";

/** The name of the pod of a node; the workflow's annotation says by which version pods are named. */
export function podNameOf({ metadata }: Pick<Workflow, "metadata">, node: NodeStatus): string {
  return podName({
    workflowName: metadata.name ?? "",
    nodeName: node.name,
    nodeId: node.id,
    templateName: templateNameOf(node),
    version: podNameVersion(metadata.annotations?.[ANNOTATION.podNameFormat]),
  });
}

/** The node whose pod has a name; undefined while the status does not have it. */
export function nodeOfPod(workflow: Workflow, pod: string): NodeStatus | undefined {
  return nodesOf(workflow).find((node) => node.type === "Pod" && podNameOf(workflow, node) === pod);
}
