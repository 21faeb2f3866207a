import type { Parameter, Workflow, WorkflowSpec } from "../api/mod.ts";
import { ActionError } from "./error.ts";

/** Arguments by name, each with its value. */
export type ParameterValues = ReadonlyMap<string, string>;

/**
 * Reads `name=value` texts; a later one wins. A value in double quotes is read as a quoted text.
 * @throws {ActionError} when one has no `=`.
 */
export function parseParameterValues(texts: readonly string[]): Map<string, string> {
  return new Map(texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new ActionError(`expected parameter of the form: NAME=VALUE. Received: ${text}`);
    return [text.slice(0, at), unquoted(text.slice(at + 1))];
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
 * The workflow with these values for its arguments, also where it has stored what it runs; a name it does not know becomes a
 * new argument, at the front.
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
  // The values that it may have are the author's choice, which no other value replaces.
  const allowed = new Map(parameters.map((parameter) => [parameter.name, parameter.enum]));
  const given: Parameter[] = [...values].map(([name, value]) => {
    const choices = allowed.get(name);
    return choices === undefined ? { name, value } : { name, value, enum: choices };
  });
  const kept = parameters.filter(({ name }) => !values.has(name));
  return { ...spec, arguments: { ...spec.arguments, parameters: [...given, ...kept] } };
}
