/**
 * Templates that the agent executes: a node, and its task in the workflow's task set. Passes skip the node until there
 * is a result.
 */
import type { NodeStatus } from "@tiphys/model/api";
import { TEMPLATE_TYPES } from "@tiphys/model/templates";
import { LIMITS, shortened } from "@tiphys/base/limits";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";
import { currentTaskSet } from "../agent/results.ts";
import { addCallNode, type Outcome, type ReadyCall } from "./call.ts";

/** Creates the node of a template that the agent runs, and its task if it does not exist yet. */
export function runAgentTask(pass: Slice<NodesDraft & RequestsDraft>, call: ReadyCall): Outcome {
  const { node: type } = TEMPLATE_TYPES[call.type];
  const node = pass.draft.nodes.byName(call.nodeName) ?? addCallNode(pass, call, { type, phase: "Pending" });
  if (node.phase !== "Pending" || hasTask(pass, node)) return { kind: "node", node };
  // The controller handles metrics and memoization. Argo's CRD requires fields of them that a template may omit.
  const { metrics: _, memoize: __, ...template } = call.template;
  const bytes = JSON.stringify(template).length;
  if (bytes > LIMITS.taskBytes) {
    const message = `the template of node ${
      shortened(node.name)
    } takes ${bytes} bytes as a task; the maximum is ${LIMITS.taskBytes}`;
    return { kind: "error", node: pass.draft.markError(node.id, message), message };
  }
  // If the task set has no room for the task, it is offered again in each pass: completed tasks are removed.
  pass.draft.addAgentTask(node.id, template, bytes);
  return { kind: "node", node };
}

function hasTask(pass: Slice, { id }: NodeStatus): boolean {
  return currentTaskSet(pass)?.tasks.has(id) === true;
}
