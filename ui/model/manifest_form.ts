/** The parameters of a manifest as fields of a form: read from its text, and set in it without touching anything else. Pure. */
import { withTextAt } from "../../lib/yaml/mod.ts";
import { readManifest } from "./manifest.ts";
import type { Field } from "./submit_form.ts";

/** A parameter of a manifest, and its value there. */
export interface ManifestField {
  readonly field: Field;
  readonly value: string;
}

/** The longest text for which a form is made, in characters: with each key that is typed into one the text is read. */
const LONGEST = 256 * 1024;

type Row = Readonly<Record<string, unknown>>;

/** The arguments of the workflow that a manifest means; none where it is not one whole manifest. */
export function manifestFields(text: string): ManifestField[] {
  const parameters = parametersOf(text)?.parameters ?? [];
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
  const { path = [], parameters = [] } = parametersOf(text) ?? {};
  const index = parameters.findIndex((parameter) => rowOf(parameter).name === name);
  if (index < 0) return text;
  return withTextAt(text, [...path, index, "value"], value) ?? text;
}

function parametersOf(text: string) {
  // To read a long text takes long: one that names no arguments has none.
  if (text.length > LONGEST || !text.includes("arguments")) return undefined;
  const read = readManifest(text);
  if ("problem" in read) return undefined;
  const isCron = rowOf(read.object).kind === "CronWorkflow";
  const path = ["spec", ...(isCron ? ["workflowSpec"] : []), "arguments", "parameters"];
  const parameters = path.reduce<unknown>((object, field) => rowOf(object)[field], read.object);
  return Array.isArray(parameters) ? { path, parameters: parameters as readonly unknown[] } : undefined;
}

function rowOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? value as Row : {};
}

/** A value as a field shows it; Kubernetes takes numbers and truths for texts here. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
