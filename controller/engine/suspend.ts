/** A template that waits: for a time, or for somebody to resume it (features T-28). */
import type { NodeStatus, Parameter, Template } from "../../lib/api/mod.ts";
import { argoDurationMillis } from "./duration.ts";
import type { Outcome, ReadyCall } from "./call.ts";
import { addNewNode } from "./new_node.ts";
import type { Pass } from "./pass.ts";
import { millisOf } from "./time.ts";

/** Suspends, and resumes by itself when `duration` is over. */
export function runSuspend(pass: Pass, call: ReadyCall): Outcome {
  const node = pass.nodes.byName(call.nodeName) ?? addSuspendNode(pass, call);
  const duration = call.template.suspend?.duration;
  if (duration) {
    const resumeAt = millisOf(node.startedAt) + argoDurationMillis(duration);
    if (pass.now.getTime() > resumeAt) {
      if (node.outputs) pass.nodes.update(node.id, { outputs: withDefaults(node.outputs) });
      return { kind: "node", node: pass.mark(node.id, "Succeeded") };
    }
    pass.comeBackAt(resumeAt + 1);
  }
  if (pass.deadline !== undefined) pass.comeBackAt(pass.deadline + 1);
  return { kind: "node", node: pass.mark(node.id, "Running") };
}

function addSuspendNode(pass: Pass, call: ReadyCall): NodeStatus {
  const { nodeName: name, holder, scope, boundaryId, flag, template } = call;
  const node = addNewNode(pass, { name, type: "Suspend", phase: "Pending", holder, scope, boundaryId, flag, template });
  const supplied = suppliedOutputs(template);
  const inputs = node.inputs?.parameters;
  return pass.nodes.update(node.id, {
    ...(supplied.length ? { outputs: { parameters: supplied } } : {}),
    ...(inputs ? { inputs: { ...node.inputs, parameters: inputs.map(withEnumOfValue) } } : {}),
  });
}

/** Outputs that a person supplies; without a default of its own one takes that of the input of the same name. */
function suppliedOutputs(template: Template): Parameter[] {
  return (template.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied).map((parameter) => {
    if (parameter.valueFrom!.default !== undefined) return parameter;
    const input = template.inputs?.parameters?.find(({ name }) => name === parameter.name);
    return input?.default === undefined
      ? parameter
      : { ...parameter, valueFrom: { ...parameter.valueFrom, default: input.default } };
  });
}

/** An input whose value is itself a parameter in JSON offers that one's choices. */
function withEnumOfValue(parameter: Parameter): Parameter {
  if (!parameter.value?.startsWith("{")) return parameter;
  let value: unknown;
  try {
    value = JSON.parse(parameter.value);
  } catch {
    return parameter;
  }
  const choices = (value as { enum?: unknown[] }).enum;
  if (!Array.isArray(choices) || choices.length === 0) return parameter;
  const words = choices.map(String);
  return { ...parameter, enum: words, default: parameter.default ?? words[0] };
}

function withDefaults(outputs: NonNullable<NodeStatus["outputs"]>): NonNullable<NodeStatus["outputs"]> {
  return {
    ...outputs,
    parameters: outputs.parameters?.map((parameter) => {
      if (!parameter.valueFrom?.supplied) return parameter;
      if (parameter.valueFrom.default === undefined) {
        throw new Error(
          `raw output parameter '${parameter.name}' has not been set and does not have a default value`,
        );
      }
      const { valueFrom, ...rest } = parameter;
      return { ...rest, value: valueFrom.default };
    }),
  };
}
