/** Events about nodes: one for each phase that a node enters. */
import type { NodePhase, NodeStatus } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { isCompletedPhase, isFailure, millisOf } from "@tiphys/model/status";
import type { RequestsDraft, Slice } from "../slice.ts";
import type { Action } from "../types.ts";

/** Emits events for changes since `before`, and requests logs of pods, according to the settings. A node that was never observed as running gets that event first. */
export function announceNodes(pass: Slice<RequestsDraft>, before: Readonly<Record<string, NodeStatus>>): void {
  for (const id of pass.draft.nodes.changed.keys()) {
    const node = pass.draft.nodes.get(id)!;
    const was = before[id]?.phase;
    if (was === node.phase) continue;
    logPodOf(pass, node);
    if (!pass.facts.config.nodeEvents) continue;
    const completed = isCompletedPhase(node.phase);
    if (completed && (was === undefined || was === "Pending")) pass.draft.ask(eventOf(pass, node, "Running"));
    if (was !== undefined ? node.phase !== "Pending" : completed || node.phase === "Running") {
      pass.draft.ask(eventOf(pass, node, node.phase!));
    }
  }
}

/** Requests that the pod of a node with a new phase is written to the log, if the settings require it. */
function logPodOf({ facts: { config, pods }, draft }: Slice<RequestsDraft>, { id, phase }: NodeStatus): void {
  const pod = pods.get(id);
  if (!pod || !config.loggedPods) return;
  if (config.loggedPods === "all" || isFailure(phase)) draft.ask({ kind: "logPod", nodeId: id, pod });
}

function eventOf({ facts: { config, pods, before } }: Slice, node: NodeStatus, phase: NodePhase): Action {
  const message = node.message && phase === node.phase ? `: ${node.message}` : "";
  const pod = config.nodeEventsOfPods ? pods.get(node.id)?.metadata : undefined;
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
