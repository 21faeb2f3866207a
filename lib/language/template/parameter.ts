/** Lists of parameters: printing and merging them. */
import { quoteJson } from "@tiphys/base/go/json";
import { type Json, marshalTree } from "./json_tree.ts";

/** The fields of a parameter that this module reads. */
export interface ParameterFields {
  readonly name: string;
  readonly default?: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
  readonly globalName?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** The order in which Argo Workflows prints a parameter's fields; users parse and compare this text. */
const FIELDS = ["name", "default", "value", "valueFrom", "globalName", "enum", "description"] as const;

/** Serializes a list of parameters to JSON; `null` when the list is undefined. */
export function parametersJson(parameters: readonly ParameterFields[] | undefined): string {
  if (parameters === undefined) return "null";
  return `[${parameters.map(parameterJson).join(",")}]`;
}

function parameterJson(parameter: ParameterFields): string {
  const fields = FIELDS.filter((field) => isPrinted(field, parameter[field]));
  return `{${fields.map((field) => `${quoteJson(field)}:${marshalTree(parameter[field] as Json)}`).join(",")}}`;
}

/** Whether a field is printed. An empty default or value is significant; other fields are omitted if they are empty. */
function isPrinted(field: typeof FIELDS[number], value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (field === "globalName" || field === "description") return value !== "";
  return !(Array.isArray(value) && value.length === 0);
}

/**
 * Merges several lists: the first list in its order, then additions of the next ones. The first parameter of a name
 * counts.
 */
export function mergeParameters<P extends { readonly name: string }>(
  ...lists: readonly (readonly P[] | undefined)[]
): P[] {
  const merged = new Map<string, P>();
  for (const list of lists) {
    for (const parameter of list ?? []) if (!merged.has(parameter.name)) merged.set(parameter.name, parameter);
  }
  return [...merged.values()];
}

/**
 * Adds a node's output with a `globalName` to the workflow's outputs, or replaces its value. Returns the same list when
 * it already contains the output.
 */
export function withGlobalParameter(
  outputs: readonly ParameterFields[],
  parameter: ParameterFields,
): readonly ParameterFields[] {
  const name = parameter.globalName;
  if (!name) return outputs;
  const global: ParameterFields = parameter.value === undefined ? { name } : { name, value: parameter.value };
  const index = outputs.findIndex((output) => output.name === name);
  const known = outputs[index];
  if (known === undefined) return [...outputs, global];
  // A parameter without a value keeps the existing value.
  const isNew = parameter.value !== undefined && parameter.value !== known.value;
  return isNew ? outputs.with(index, { ...known, value: parameter.value }) : outputs;
}
