import type { Parameter, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { ActionError } from "./error.ts";

/** Argument values by name. */
export type ParameterValues = ReadonlyMap<string, string>;

/**
 * Parses `name=value` texts; the last value of a name counts. A value in double quotes is unquoted.
 * @throws {ActionError} for a text without `=`.
 */
export function parseParameterValues(texts: readonly string[]): Map<string, string> {
  return new Map(texts.map((text) => {
    const index = text.indexOf("=");
    if (index < 1) throw new ActionError(`expected parameter of the form: NAME=VALUE. Received: ${text}`);
    return [text.slice(0, index), unquoted(text.slice(index + 1))];
  }));
}

function unquoted(value: string): string {
  if (!/^".*"$/s.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/**
 * Sets the values of arguments, also in the stored spec of a running workflow. An unknown name becomes a new argument
 * at the front.
 */
export function overrideParameters(workflow: Workflow, values: ParameterValues): Workflow {
  if (values.size === 0) return workflow;
  const { spec, status } = workflow;
  const stored = status?.storedWorkflowTemplateSpec;
  return {
    ...workflow,
    spec: withArguments(spec, values),
    ...(stored ? { status: { ...status, storedWorkflowTemplateSpec: withArguments(stored, values) } } : {}),
  };
}

function withArguments(spec: WorkflowSpec, values: ParameterValues): WorkflowSpec {
  const { parameters = [] } = spec.arguments ?? {};
  // The author's enum is kept.
  const allowed = new Map(parameters.map((parameter) => [parameter.name, parameter.enum]));
  const given: Parameter[] = [...values].map(([name, value]) => {
    const choices = allowed.get(name);
    return choices === undefined ? { name, value } : { name, value, enum: choices };
  });
  const kept = parameters.filter(({ name }) => !values.has(name));
  return { ...spec, arguments: { ...spec.arguments, parameters: [...given, ...kept] } };
}
