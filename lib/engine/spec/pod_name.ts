import type { NodeStatus } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { podName, type PodNameVersion, podNameVersion } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";

/** The naming scheme of pods with which this workflow was started. */
export function podNameFormat(pass: Slice): PodNameVersion {
  return podNameVersion(
    pass.draft.workflow.metadata.annotations?.[ANNOTATION.podNameFormat],
    pass.facts.config.podNameFormat,
  );
}

/** The name of the pod of a node that runs a template of this name. The node exists or is added next. */
export function podNameFor(pass: Slice, nodeName: string, templateName: string): string {
  const nodeId = pass.draft.nodes.idOf(nodeName);
  return podName({ workflowName: pass.name, nodeName, nodeId, templateName, version: podNameFormat(pass) });
}

/** The name of a node's pod: the observed one, otherwise the one that the pod would get. */
export function podNameOfNode(pass: Slice, node: NodeStatus): string {
  const pod = pass.facts.pods.get(node.id);
  return pod?.metadata.name ?? podNameFor(pass, node.name, node.templateRef?.template ?? node.templateName ?? "");
}
