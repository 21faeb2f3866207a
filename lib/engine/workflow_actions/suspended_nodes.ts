/** Suspended nodes that wait for a user: resumes them, fails them, or sets their outputs. */
import type { NodePhase, NodeStatus, Outputs, Parameter, Workflow } from "@tiphys/model/api";
import { isActiveSuspend, nodesOf, timeText } from "@tiphys/model/status";
import { type Actor, resumedBy } from "./actor.ts";
import { ActionError } from "./error.ts";
import { parseNodeSelector } from "./node_selector.ts";
import type { ParameterValues } from "./override_parameters.ts";

/** The nodes to resume, and the user. */
export interface ResumeOptions {
  /** Selects waiting nodes. By default all, and the workflow itself. */
  readonly nodeFieldSelector?: string | undefined;
  /** The user, if a server knows it. It is recorded in each node. */
  readonly by?: Actor | undefined;
}

/**
 * Resumes a workflow: removes spec.suspend and marks every waiting node as succeeded. Returns the same workflow if
 * nothing waits.
 * @throws {ActionError} when an output has neither value nor default, or the selector matches no node.
 */
export function resumeWorkflow(workflow: Workflow, now: Date, { nodeFieldSelector, by }: ResumeOptions = {}): Workflow {
  const waiting = nodesOf(workflow).filter(isActiveSuspend);
  const resumed = (nodes: readonly NodeStatus[]) => nodes.map((node) => resumedNode(node, now, by));
  if (nodeFieldSelector) {
    const matches = parseNodeSelector(nodeFieldSelector);
    const matching = waiting.filter(matches);
    if (matching.length === 0) throw noSuchNode(nodeFieldSelector);
    return withNodes(workflow, resumed(matching));
  }
  if (!workflow.spec.suspend && waiting.length === 0) return workflow;
  const { suspend: _, ...spec } = workflow.spec;
  return withNodes({ ...workflow, spec }, resumed(waiting));
}

function resumedNode(node: NodeStatus, now: Date, by: Actor | undefined): NodeStatus {
  return {
    ...node,
    phase: "Succeeded",
    finishedAt: timeText(now),
    ...(by ? { message: node.message ? `${node.message}; ${resumedBy(by)}` : resumedBy(by) } : {}),
    ...(node.outputs ? { outputs: withDefaults(node.outputs) } : {}),
  };
}

function noSuchNode(selector: string): ActionError {
  return new ActionError(
    `currently, set only targets suspend nodes: no suspend nodes matching nodeFieldSelector: ${selector}`,
  );
}

/** Values to set on waiting nodes. */
export interface NodeValues {
  readonly phase?: NodePhase | undefined;
  readonly message?: string | undefined;
  readonly outputs?: ParameterValues | undefined;
}

/**
 * Sets values on the waiting nodes that a selector matches.
 * @throws {ActionError} when it matches no node, or a node does not expect such an output.
 */
export function setNodes(workflow: Workflow, selector: string, values: NodeValues, now: Date): Workflow {
  const matches = parseNodeSelector(selector);
  const matching = nodesOf(workflow).filter((node) => isActiveSuspend(node) && matches(node));
  const changes = values.phase || values.message || values.outputs?.size;
  if (matching.length === 0 || !changes) throw noSuchNode(selector);
  const set = matching.map((node) => setNode(node, values, now));
  const exported = set.flatMap((node) => node.outputs?.parameters ?? []).filter(({ name, globalName }) =>
    globalName && values.outputs?.has(name)
  );
  return exported.reduce(withGlobal, withNodes(workflow, set));
}

function setNode(node: NodeStatus, values: NodeValues, now: Date): NodeStatus {
  const { phase, message, outputs } = values;
  return {
    ...node,
    ...(phase ? { phase } : {}),
    ...(phase && isFinalPhase(phase) ? { finishedAt: timeText(now) } : {}),
    ...(message ? { message } : {}),
    ...(outputs?.size ? { outputs: supply(node.outputs, outputs) } : {}),
  };
}

function isFinalPhase(phase: NodePhase): boolean {
  return phase !== "Pending" && phase !== "Running";
}

function supply(outputs: Outputs | undefined, values: ParameterValues): Outputs {
  if (!outputs) {
    throw new ActionError("cannot set output parameters because node is not expecting any raw parameters");
  }
  const parameters = outputs.parameters ?? [];
  for (const name of values.keys()) {
    const parameter = parameters.find((parameter) => parameter.name === name);
    if (!parameter) throw new ActionError(`node is not expecting output parameter '${name}'`);
    if (!parameter.valueFrom?.supplied) {
      throw new ActionError(
        `cannot set output parameter '${name}' because it does not use valueFrom.raw or it was already set`,
      );
    }
  }
  return {
    ...outputs,
    parameters: parameters.map((parameter) => {
      const value = values.get(parameter.name);
      return value === undefined ? parameter : withValue(parameter, value);
    }),
  };
}

/** Sets outputs without a value to their defaults. */
function withDefaults(outputs: Outputs): Outputs {
  return {
    ...outputs,
    parameters: outputs.parameters?.map((parameter) => {
      if (!parameter.valueFrom?.supplied) return parameter;
      if (parameter.valueFrom.default === undefined) {
        throw new ActionError(
          `raw output parameter '${parameter.name}' has not been set and does not have a default value`,
        );
      }
      return withValue(parameter, parameter.valueFrom.default);
    }),
  };
}

function withValue({ valueFrom: _, ...parameter }: Parameter, value: string): Parameter {
  return { ...parameter, value };
}

/** Adds an output with a global name to the workflow's outputs, replacing an earlier one of that name. */
function withGlobal(workflow: Workflow, parameter: Parameter): Workflow {
  const name = parameter.globalName!;
  const outputs = workflow.status?.outputs;
  const others = (outputs?.parameters ?? []).filter((parameter) => parameter.name !== name);
  const parameters = [...others, { name, value: parameter.value }];
  return { ...workflow, status: { ...workflow.status, outputs: { ...outputs, parameters } } };
}

function withNodes(workflow: Workflow, changed: readonly NodeStatus[]): Workflow {
  if (changed.length === 0) return workflow;
  const nodes = { ...workflow.status?.nodes, ...Object.fromEntries(changed.map((node) => [node.id, node])) };
  return { ...workflow, status: { ...workflow.status, nodes } };
}
