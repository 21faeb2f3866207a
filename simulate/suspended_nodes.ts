/** Nodes that wait for a person: the function of their template is that person. */
import type { NodeStatus, Parameter, Template, Workflow } from "../lib/api/mod.ts";
import { setNodes } from "../lib/workflow_actions/mod.ts";
import { isActiveSuspend, nodesOf } from "../lib/status/mod.ts";
import { fails, suppliedBy } from "./answer.ts";
import type { Answer, TemplateCall } from "./options.ts";

/** Nodes of a workflow that are suspended now. */
export function suspendedNodes(workflow: Workflow): NodeStatus[] {
  return nodesOf(workflow).filter(isActiveSuspend);
}

/** The template that a node waits by, as far as its status tells. */
export function suspendTemplateOf(node: NodeStatus): Template {
  return {
    ...(node.templateName ? { name: node.templateName } : {}),
    ...(node.inputs ? { inputs: node.inputs } : {}),
    ...(node.outputs ? { outputs: node.outputs } : {}),
    suspend: {},
  };
}

/**
 * The change that a person makes to the workflow by answering a node that waits. An answer that comes too late changes
 * nothing.
 * @throws {SimulationError} when the answer does not fit what the node waits for.
 */
export function personActing(
  nodeId: string,
  call: TemplateCall,
  answer: Answer,
): (workflow: Workflow, now: Date) => Workflow {
  const declared: readonly Parameter[] = call.spec.outputs?.parameters ?? [];
  const outputs = suppliedBy(call, answer, declared);
  const phase = !fails(answer) ? "Succeeded" : answer.error === undefined ? "Failed" : "Error";
  const message = answer.error ?? answer.message;
  return (workflow, now) => {
    const waits = suspendedNodes(workflow).some(({ id }) => id === nodeId);
    return waits ? setNodes(workflow, `id=${nodeId}`, { phase, message, outputs }, now) : workflow;
  };
}
