/** The parameters of a manifest as fields of a form: read from its text, and set in it without touching anything else. Pure. */
import { withTextAt } from "@tiphys/model/yaml";
import { readManifest } from "./manifest.ts";
import type { Field } from "./submit_form.ts";

/** A parameter of a manifest, and its value there. */
export interface ManifestField {
  readonly field: Field;
  readonly value: string;
}

/** The longest text that a form changes, in characters: with each key that is typed into one the text is read. */
const LONGEST = 256 * 1024;

type Row = Readonly<Record<string, unknown>>;

/** The arguments of the workflow that a manifest means; none where it is none. */
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

/** The text with another value of a parameter; the same text where it cannot be set in it. */
export function withManifestValue(text: string, name: string, value: string): string {
  if (text.length > LONGEST) return text;
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

/** A value as a field shows it; Kubernetes takes numbers and truths for texts here. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
