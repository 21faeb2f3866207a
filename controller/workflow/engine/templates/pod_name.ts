import type { NodeStatus } from "../../../../lib/api/mod.ts";
import { ANNOTATION } from "../../../../lib/constants.ts";
import { podName, type PodNameVersion, podNameVersion } from "../../../../lib/status/mod.ts";
import type { Pass } from "../pass.ts";

/** The naming of pods that this workflow was started with. */
export function podNameFormat(pass: Pass): PodNameVersion {
  return podNameVersion(
    pass.draft.workflow.metadata.annotations?.[ANNOTATION.podNameFormat],
    pass.facts.config.podNameFormat,
  );
}

/** The name of the pod of a node that runs a template of this name; the node exists, or is added next. */
export function podNameFor(pass: Pass, nodeName: string, templateName: string): string {
  const nodeId = pass.draft.nodes.idOf(nodeName);
  return podName({ workflowName: pass.name, nodeName, nodeId, templateName, version: podNameFormat(pass) });
}

/** The name of the pod that belongs to a node. */
export function podNameOfNode(pass: Pass, node: NodeStatus): string {
  const pod = pass.facts.pods.get(node.id);
  return pod?.metadata.name ?? podNameFor(pass, node.name, node.templateRef?.template ?? node.templateName ?? "");
}
