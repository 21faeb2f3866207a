/** The pod of a node, and the node of a pod. */
import type { NodeStatus, Workflow } from "../api/mod.ts";
import { ANNOTATION } from "@tiphys/base/constants";
import { podName, podNameVersion } from "./names.ts";
import { templateNameOf } from "./node_state.ts";
import { nodesOf } from "./workflow_state.ts";

/** Returns the name of a node's pod. The workflow's annotation determines the version of pod names. */
export function podNameOf({ metadata }: Pick<Workflow, "metadata">, node: NodeStatus): string {
  return podName({
    workflowName: metadata.name ?? "",
    nodeName: node.name,
    nodeId: node.id,
    templateName: templateNameOf(node),
    version: podNameVersion(metadata.annotations?.[ANNOTATION.podNameFormat]),
  });
}

/** Returns the node whose pod has a name; undefined if the status does not contain it. */
export function nodeOfPod(workflow: Workflow, pod: string): NodeStatus | undefined {
  return nodesOf(workflow).find((node) => node.type === "Pod" && podNameOf(workflow, node) === pod);
}
