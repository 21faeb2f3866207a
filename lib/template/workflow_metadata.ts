/** The labels and annotations `workflowMetadata` gives a workflow when it starts. */
import { environment, evaluate, ExpressionError } from "./expr/mod.ts";
import { quote } from "../go/quote.ts";
import { typeName, type Value } from "../go/value.ts";
import { TemplateError } from "./error.ts";
import type { Values } from "./scope.ts";
import { labelValueErrors } from "./selector/label_rules.ts";

/** `spec.workflowMetadata` as written. */
export interface WorkflowMetadataFields {
  readonly labels?: { readonly [label: string]: string };
  readonly annotations?: { readonly [annotation: string]: string };
  readonly labelsFrom?: { readonly [label: string]: { readonly expression: string } };
}

/** Labels and annotations by name. */
export interface GivenMetadata {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

/**
 * The labels and annotations that `workflowMetadata` adds; a computed label replaces a fixed one of the same name. They are
 * put into `given` one after the other: what stands before one that fails is there.
 * @throws {TemplateError} when an expression fails or gives no text, or when a value cannot be a label's.
 */
export function workflowMetadata(
  metadata: WorkflowMetadataFields,
  globals: Values,
  given: GivenMetadata = { labels: {}, annotations: {} },
): GivenMetadata {
  const { labels, annotations } = given;
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
  return given;
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
  // "evaluted" is the peer's spelling, which its users search for.
  throw new TemplateError(
    `failed to evaluate label "${label}" expression ${quote(expression)} evaluted to ${typeName(value)} ` +
      "but must be a string",
  );
}

function checkLabel(value: string, what: string): void {
  const problem = labelValueProblem(value);
  if (problem !== undefined) throw new TemplateError(`invalid label value "${value}" for ${what}: ${problem}`);
}

/** The reason why a text cannot be the value of a label; undefined when it can. */
export function labelValueProblem(value: string): string | undefined {
  const errors = labelValueErrors(value);
  return errors.length > 0 ? errors.join(";") : undefined;
}
