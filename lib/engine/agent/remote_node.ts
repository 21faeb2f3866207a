/** Templates that the agent does: a node, and its task in the workflow's task set. It then costs nothing until it is told of. */
import type { NodeStatus } from "@tiphys/model/api";
import { LIMITS, shortened } from "@tiphys/base/limits";
import type { Pass } from "../pass.ts";
import { taskSetNow } from "./results.ts";
import { addNodeOfCall, type Outcome, type ReadyCall } from "../templates/call.ts";

/** Makes the node of an http or plugin template, and its task where there is none yet. */
export function runRemote(pass: Pass, call: ReadyCall, type: "HTTP" | "Plugin"): Outcome {
  const node = pass.draft.nodes.byName(call.nodeName) ?? addNodeOfCall(pass, call, { type, phase: "Pending" });
  if (node.phase !== "Pending" || hasTask(pass, node)) return { kind: "node", node };
  // Metrics and memoization are the controller's. Argo's CRD requires fields of them that a template may leave out.
  const { metrics: _, memoize: __, ...template } = call.template;
  const bytes = JSON.stringify(template).length;
  if (bytes > LIMITS.taskBytes) {
    const message = `the template of node ${
      shortened(node.name)
    } takes ${bytes} bytes as a task, and may take ${LIMITS.taskBytes}`;
    return { kind: "error", node: pass.draft.markError(node.id, message), message };
  }
  // A task that finds no room is offered again in each pass: tasks that are done make room.
  pass.draft.offerTask(node.id, template, bytes);
  return { kind: "node", node };
}

function hasTask(pass: Pass, { id }: NodeStatus): boolean {
  return taskSetNow(pass)?.tasks.has(id) === true;
}
