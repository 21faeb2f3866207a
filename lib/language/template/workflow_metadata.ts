/** The labels and annotations that `workflowMetadata` gives to a workflow when it starts. */
import { environment, evaluate, ExpressionError } from "./expr/mod.ts";
import { quote } from "@tiphys/base/go/quote";
import { typeName, type Value } from "@tiphys/base/go/value";
import { TemplateError } from "./error.ts";
import type { Values } from "./scope.ts";
import { labelValueErrors } from "@tiphys/base/selector/label_rules";

/** `spec.workflowMetadata` as written. */
export interface WorkflowMetadataFields {
  readonly labels?: { readonly [label: string]: string };
  readonly annotations?: { readonly [annotation: string]: string };
  readonly labelsFrom?: { readonly [label: string]: { readonly expression: string } };
}

/** Labels and annotations by name. */
export interface AddedMetadata {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

/**
 * Returns the labels and annotations that `workflowMetadata` adds; a computed label replaces a fixed one of the same
 * name. They are added to `added` one by one, so the entries before a failed one are in it.
 * @throws {TemplateError} when an expression fails or its value is not a string, or when a value is not a valid label
 * value.
 */
export function workflowMetadata(
  metadata: WorkflowMetadataFields,
  globals: Values,
  added: AddedMetadata = { labels: {}, annotations: {} },
): AddedMetadata {
  const { labels, annotations } = added;
  const scope = new Map(globals);
  for (const [label, value] of Object.entries(metadata.labels ?? {})) {
    checkLabel(value, `label "${label}"`);
    labels[label] = value;
    if (!metadata.labelsFrom?.[label]) scope.set(`workflow.labels.${label}`, value);
  }
  Object.assign(annotations, metadata.annotations);
  const computed = Object.entries(metadata.labelsFrom ?? {});
  const env = computed.length > 0 ? environment(scope) : {};
  for (const [label, { expression }] of computed) {
    const value = computedLabel(label, expression, env);
    checkLabel(value, `label "${label}" and expression ${quote(expression)}`);
    labels[label] = value;
  }
  return added;
}

function computedLabel(label: string, expression: string, env: Record<string, unknown>): string {
  let value: Value;
  try {
    value = evaluate(expression, env);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const what = error.phase === "compile"
      ? `failed to compile function for expression ${quote(expression)}`
      : `failed to evaluate label "${label}" expression ${quote(expression)}`;
    throw new TemplateError(`${what}: ${error.message}`, { cause: error });
  }
  if (typeof value === "string") return value;
  // "evaluted" is Argo's spelling, which users search for.
  throw new TemplateError(
    `failed to evaluate label "${label}" expression ${quote(expression)} evaluted to ${typeName(value)} ` +
      "but must be a string",
  );
}

function checkLabel(value: string, subject: string): void {
  const problem = labelValueProblem(value);
  if (problem !== undefined) throw new TemplateError(`invalid label value "${value}" for ${subject}: ${problem}`);
}

/** Returns the reason why a text is not a valid label value; undefined when it is valid. */
export function labelValueProblem(value: string): string | undefined {
  const errors = labelValueErrors(value);
  return errors.length > 0 ? errors.join(";") : undefined;
}
