/** Suspended nodes. The function of their template acts as the person who resumes them. */
import type { NodeStatus, Parameter, Template, Workflow } from "@tiphys/model/api";
import { setNodes } from "@tiphys/engine/workflow_actions";
import { isActiveSuspend, nodesOf } from "@tiphys/model/status";
import { fails, suppliedParameters } from "./answer.ts";
import type { Answer, TemplateCall } from "./options.ts";

/** Returns the nodes of a workflow that are suspended now. */
export function suspendedNodes(workflow: Workflow): NodeStatus[] {
  return nodesOf(workflow).filter(isActiveSuspend);
}

/** Returns the template of a suspended node, as far as its status contains it. */
export function suspendTemplateOf(node: NodeStatus): Template {
  return {
    ...(node.templateName ? { name: node.templateName } : {}),
    ...(node.inputs ? { inputs: node.inputs } : {}),
    ...(node.outputs ? { outputs: node.outputs } : {}),
    suspend: {},
  };
}

/**
 * Returns the change of the workflow that resumes a suspended node with an answer. It has no effect if the node has
 * ended by then.
 * @throws {SimulationError} when the answer does not match the declared outputs.
 */
export function resumption(
  nodeId: string,
  call: TemplateCall,
  answer: Answer,
): (workflow: Workflow, now: Date) => Workflow {
  const declared: readonly Parameter[] = call.spec.outputs?.parameters ?? [];
  const outputs = suppliedParameters(call, answer, declared);
  const phase = !fails(answer) ? "Succeeded" : answer.error === undefined ? "Failed" : "Error";
  const message = answer.error ?? answer.message;
  return (workflow, now) => {
    const waits = suspendedNodes(workflow).some(({ id }) => id === nodeId);
    return waits ? setNodes(workflow, `id=${nodeId}`, { phase, message, outputs }, now) : workflow;
  };
}
