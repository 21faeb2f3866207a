/**
 * The parameters of a manifest as form fields: read from its text, and set in it without changing anything else. Pure.
 */
import { withTextAt } from "@tiphys/model/yaml";
import { readManifest } from "./manifest.ts";
import type { Field } from "./submit_form.ts";

/** A parameter of a manifest, and its value. */
export interface ManifestField {
  readonly field: Field;
  readonly value: string;
}

/** The longest text that a form edits, in characters: the text is parsed on every key stroke. */
const MAX_EDITED_LENGTH = 256 * 1024;

type Row = Readonly<Record<string, unknown>>;

/** Returns the arguments of the workflow in a manifest; empty for other objects. */
export function manifestFields(object: unknown): ManifestField[] {
  const parameters = parametersOf(object)?.parameters ?? [];
  return parameters.flatMap((parameter) => {
    const { name, value, description, enum: choices } = rowOf(parameter);
    if (typeof name !== "string") return [];
    return [{
      field: {
        name,
        description: textOf(description),
        usual: undefined,
        choices: Array.isArray(choices) && choices.length > 0 ? choices.map(textOf) : undefined,
      },
      value: textOf(value),
    }];
  });
}

/** Returns the text with a new parameter value, or unchanged if the value cannot be set in it. */
export function withManifestValue(text: string, name: string, value: string): string {
  if (text.length > MAX_EDITED_LENGTH) return text;
  const read = readManifest(text);
  const { path = [], parameters = [] } = "object" in read ? parametersOf(read.object) ?? {} : {};
  const index = parameters.findIndex((parameter) => rowOf(parameter).name === name);
  if (index < 0) return text;
  return withTextAt(text, [...path, index, "value"], value) ?? text;
}

function parametersOf(object: unknown) {
  const isCron = rowOf(object).kind === "CronWorkflow";
  const path = ["spec", ...(isCron ? ["workflowSpec"] : []), "arguments", "parameters"];
  const parameters = path.reduce<unknown>((part, field) => rowOf(part)[field], object);
  return Array.isArray(parameters) ? { path, parameters: parameters as readonly unknown[] } : undefined;
}

function rowOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? value as Row : {};
}

/** Formats a value for a field. Numbers and booleans are accepted as texts here, as in Kubernetes. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
