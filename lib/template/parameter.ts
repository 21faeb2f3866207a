/** Parameters as lists: how they print, and how lists of them are put together. */
import { quoteJson } from "../go/json.ts";
import { type Json, marshalTree } from "./json_tree.ts";

/** The fields of a parameter that are read here. */
export interface ParameterFields {
  readonly name: string;
  readonly default?: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
  readonly globalName?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** The order in which the peer prints a parameter's fields; users parse and compare this text. */
const FIELDS = ["name", "default", "value", "valueFrom", "globalName", "enum", "description"] as const;

/** The JSON text of a list of parameters, `null` when there is no list. */
export function parametersJson(parameters: readonly ParameterFields[] | undefined): string {
  if (parameters === undefined) return "null";
  return `[${parameters.map(parameterJson).join(",")}]`;
}

function parameterJson(parameter: ParameterFields): string {
  const fields = FIELDS.filter((field) => isPrinted(field, parameter[field]));
  return `{${fields.map((field) => `${quoteJson(field)}:${marshalTree(parameter[field] as Json)}`).join(",")}}`;
}

/** An empty default or value means something; the other fields are left out when they are empty. */
function isPrinted(field: typeof FIELDS[number], value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (field === "globalName" || field === "description") return value !== "";
  return !(Array.isArray(value) && value.length === 0);
}

/** One list of several: the first list in its order, then what the next ones add. The first of a name wins. */
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
 * The workflow's outputs with a node's output of a `globalName` added or replaced; the very same list when it is there
 * already.
 */
export function withGlobalParameter(
  outputs: readonly ParameterFields[],
  parameter: ParameterFields,
): readonly ParameterFields[] {
  const name = parameter.globalName;
  if (!name) return outputs;
  const global: ParameterFields = parameter.value === undefined ? { name } : { name, value: parameter.value };
  const at = outputs.findIndex((output) => output.name === name);
  const known = outputs[at];
  if (known === undefined) return [...outputs, global];
  // A parameter without a value leaves the value that is there.
  const isNew = parameter.value !== undefined && parameter.value !== known.value;
  return isNew ? outputs.with(at, { ...known, value: parameter.value }) : outputs;
}
