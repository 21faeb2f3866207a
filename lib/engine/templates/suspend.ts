/** Suspend templates, which wait for a time or for somebody to resume them. */
import { parseJson } from "@tiphys/base/bounded_json";
import { UserError } from "@tiphys/base/user_error";
import type { NodeStatus, Parameter } from "@tiphys/model/api";
import { declaredOutputs, millisOf, suppliedOutputs } from "@tiphys/model/status";
import { argoDurationMillis, readField } from "../duration.ts";
import { addCallNode, type Outcome, type ReadyCall } from "./call.ts";
import type { NodesDraft, Slice } from "../slice.ts";

/** Suspends a node, and resumes it when `duration` has passed. */
export function runSuspend(pass: Slice<NodesDraft>, call: ReadyCall): Outcome {
  const existing = pass.draft.nodes.byName(call.nodeName);
  const node = existing?.phase === "Running" ? existing : prepareSuspendNode(pass, call, existing);
  const duration = call.template.suspend?.duration;
  if (duration) {
    const resumeAt = millisOf(node.startedAt) +
      readField(call.template, "suspend.duration", () => argoDurationMillis(duration));
    if (pass.facts.now.getTime() > resumeAt) {
      if (node.outputs) pass.draft.update(node.id, { outputs: withDefaults(node.outputs) });
      return { kind: "node", node: pass.draft.mark(node.id, "Succeeded") };
    }
    pass.requestPassAt(resumeAt + 1);
  }
  // An exit handler may outlast the deadline.
  if (pass.deadline !== undefined && !pass.isPastDeadline) pass.requestPassAt(pass.deadline + 1);
  return { kind: "node", node: pass.draft.mark(node.id, "Running") };
}

/** Adds a node, or prepares an existing one, with the outputs that a user supplies or its template declares. */
export function prepareSuspendNode(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  existing: NodeStatus | undefined,
): NodeStatus {
  const node = existing ?? addCallNode(pass, call, { type: "Suspend", phase: "Pending" });
  const parameters = [...suppliedOutputs(call.template), ...declaredOutputs(call.template)];
  const inputs = node.inputs?.parameters;
  return pass.draft.update(node.id, {
    ...(parameters.length ? { outputs: { parameters } } : {}),
    ...(inputs ? { inputs: { ...node.inputs, parameters: inputs.map(withEnumOfValue) } } : {}),
  });
}

/** Adds the choices (`enum`) of an input whose value is a parameter as JSON. */
function withEnumOfValue(parameter: Parameter): Parameter {
  if (!parameter.value?.startsWith("{")) return parameter;
  let value: unknown;
  try {
    value = parseJson(parameter.value);
  } catch {
    return parameter;
  }
  const choices = (value as { enum?: unknown[] }).enum;
  if (!Array.isArray(choices) || choices.length === 0) return parameter;
  const texts = choices.map(String);
  return { ...parameter, enum: texts, default: parameter.default ?? texts[0] };
}

function withDefaults(outputs: NonNullable<NodeStatus["outputs"]>): NonNullable<NodeStatus["outputs"]> {
  return {
    ...outputs,
    parameters: outputs.parameters?.map((parameter) => {
      if (!parameter.valueFrom?.supplied) return parameter;
      if (parameter.valueFrom.default === undefined) {
        throw new UserError(
          `raw output parameter '${parameter.name}' has not been set and does not have a default value`,
        );
      }
      const { valueFrom, ...rest } = parameter;
      return { ...rest, value: valueFrom.default };
    }),
  };
}
