/** Events about nodes: one for each phase that a node enters. */
import type { NodePhase, NodeStatus } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { isCompletedPhase, isFailure, millisOf } from "@tiphys/model/status";
import type { RequestsDraft, Slice } from "../slice.ts";
import type { Action } from "../types.ts";

/**
 * Emits events for changes since `before`, and requests logs of pods, according to the settings. A node that completes
 * without having been observed as running gets the Running event first.
 */
export function emitNodeEvents(pass: Slice<RequestsDraft>, before: Readonly<Record<string, NodeStatus>>): void {
  for (const id of pass.draft.nodes.changed.keys()) {
    const node = pass.draft.nodes.get(id)!;
    const previousPhase = before[id]?.phase;
    if (previousPhase === node.phase) continue;
    requestPodLog(pass, node);
    if (!pass.facts.config.nodeEvents) continue;
    const completed = isCompletedPhase(node.phase);
    if (completed && (previousPhase === undefined || previousPhase === "Pending")) {
      pass.draft.request(nodeEvent(pass, node, "Running"));
    }
    if (previousPhase !== undefined ? node.phase !== "Pending" : completed || node.phase === "Running") {
      pass.draft.request(nodeEvent(pass, node, node.phase!));
    }
  }
}

/** Requests that the pod of a node with a new phase is written to the log, if the settings require it. */
function requestPodLog({ facts: { config, pods }, draft }: Slice<RequestsDraft>, { id, phase }: NodeStatus): void {
  const pod = pods.get(id);
  if (!pod || !config.loggedPods) return;
  if (config.loggedPods === "all" || isFailure(phase)) draft.request({ kind: "logPod", nodeId: id, pod });
}

function nodeEvent({ facts: { config, pods, before } }: Slice, node: NodeStatus, phase: NodePhase): Action {
  const message = node.message && phase === node.phase ? `: ${node.message}` : "";
  const pod = config.attachesNodeEventsToPods ? pods.get(node.id)?.metadata : undefined;
  return {
    kind: "event",
    type: phase === "Succeeded" || phase === "Running" ? "Normal" : "Warning",
    reason: `WorkflowNode${phase}`,
    message: `${phase} node ${node.name}${message}`,
    annotations: {
      [ANNOTATION.nodeType]: node.type,
      [ANNOTATION.nodeName]: node.name,
      [ANNOTATION.nodeId]: node.id,
      [ANNOTATION.nodeStartTime]: String(millisOf(node.startedAt) * 1e6),
      ...(pod && {
        [ANNOTATION.workflowName]: before.metadata.name!,
        [ANNOTATION.workflowUid]: before.metadata.uid!,
      }),
    },
    ...(pod && { pod: { name: pod.name!, uid: pod.uid } }),
  };
}
