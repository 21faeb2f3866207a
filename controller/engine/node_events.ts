/** Events about nodes: one for each phase a node came to (features K-80). */
import type { NodePhase, NodeStatus } from "../../lib/api/mod.ts";
import { ANNOTATION } from "../../lib/constants.ts";
import { isCompletedPhase } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import type { Action } from "./types.ts";
import { millisOf } from "./time.ts";

/** Announces what changed since `before`. A node that was never seen running is announced as running first. */
export function announceNodes(pass: Pass, before: Readonly<Record<string, NodeStatus>>): void {
  for (const id of pass.nodes.changed.keys()) {
    const node = pass.nodes.get(id)!;
    const was = before[id]?.phase;
    if (was === node.phase) continue;
    const completed = isCompletedPhase(node.phase);
    if (completed && (was === undefined || was === "Pending")) pass.actions.push(eventOf(node, "Running"));
    if (was !== undefined ? node.phase !== "Pending" : completed || node.phase === "Running") {
      pass.actions.push(eventOf(node, node.phase!));
    }
  }
}

function eventOf(node: NodeStatus, phase: NodePhase): Action {
  const message = node.message && phase === node.phase ? `: ${node.message}` : "";
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
    },
  };
}
