/** Evaluation of an event binding: whether it matches, and the workflow to create. */
import type { Workflow, WorkflowEventBinding, WorkflowTemplate } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import type { Value } from "@tiphys/base/go";
import { evaluate, evaluatePlainCondition, toJsonText } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import { workflowFromTemplate } from "@tiphys/engine/workflow_actions";
import { withPrefix } from "./error_prefix.ts";

/** An event as expressions read it. */
export interface Event {
  readonly namespace: string;
  readonly discriminator: string;
  /** The body, parsed as Go parses JSON. */
  readonly payload: Value;
  /** Headers whose names begin with `x-`, by name in lower case. */
  readonly metadata: Readonly<Record<string, readonly string[]>>;
}

/** The `submit` part of a binding. */
type Submit = NonNullable<WorkflowEventBinding["spec"]["submit"]>;

/** The fields of a template that a workflow inherits. */
export type SourceTemplate = Pick<WorkflowTemplate, "spec">;

/**
 * Reports whether a binding matches an event.
 * @throws when the selector fails, refers to an unknown name, or is not boolean.
 */
export function matchesEvent({ spec }: WorkflowEventBinding, event: Event): boolean {
  return withPrefix(
    "failed to evaluate workflow template expression",
    () => evaluatePlainCondition(spec.event.selector, { ...event }),
  );
}

/**
 * Returns the workflow that an event creates.
 * @throws {UserError} for an invalid binding, or the error of an expression.
 */
export function workflowOfEvent(
  { metadata }: WorkflowEventBinding,
  submit: Submit,
  template: SourceTemplate,
  event: Event,
  suffix: () => string,
): Workflow {
  const { name: templateName = "", clusterScope } = submit.workflowTemplateRef;
  const kind = clusterScope ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
  const workflow = workflowFromTemplate(kind, templateName);
  const own = metadataOf(submit, event);
  const { workflowMetadata } = template.spec;
  const generateName = own.generateName || workflow.metadata.generateName;
  const annotations = { ...workflowMetadata?.annotations, ...own.annotations };
  const parameters = parametersOf(submit, event);
  return {
    ...workflow,
    metadata: {
      ...workflow.metadata,
      generateName,
      name: own.name || `${generateName}${suffix()}`,
      labels: {
        ...workflow.metadata.labels,
        ...workflowMetadata?.labels,
        ...own.labels,
        [LABEL.workflowEventBinding]: metadata.name ?? "",
      },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: { ...workflow.spec, ...(parameters.length > 0 ? { arguments: { parameters } } : {}) },
  };
}

/** Evaluates the metadata of a binding. Each expression must return a string. */
function metadataOf({ metadata }: Submit, event: Event) {
  const text = (field: string, expression: string | undefined) =>
    expression ? textOf(field, expression, event) : undefined;
  const texts = (field: string, expressions: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(expressions).map(([name, expression]) => [name, text(`${field} "${name}"`, expression) ?? ""]),
    );
  return {
    name: text("name", metadata?.name),
    generateName: text("generateName", metadata?.generateName),
    labels: texts("label", metadata?.labels),
    annotations: texts("annotation", metadata?.annotations),
  };
}

function textOf(path: string, expression: string, event: Event): string {
  const value = withPrefix(`failed to evaluate workflow ${path} expression`, () => evaluate(expression, { ...event }));
  if (typeof value === "string") return value;
  throw new UserError(
    `workflow ${path} expression must evaluate to a string, it gave ${toJsonText(value).slice(0, 100)}`,
  );
}

/** Evaluates the arguments. Strings are used unchanged; other values become JSON. */
function parametersOf({ arguments: given }: Submit, event: Event): { name: string; value: string }[] {
  return (given?.parameters ?? []).map(({ name, valueFrom }) => {
    if (valueFrom === undefined || valueFrom === null) {
      throw new UserError(`malformed workflow template parameter "${name}": valueFrom is nil`);
    }
    if (!valueFrom.event) {
      throw new UserError(`malformed workflow template parameter "${name}": valueFrom.event is empty`);
    }
    const { event: expression } = valueFrom;
    const value = withPrefix(
      `failed to evaluate workflow template parameter "${name}" expression`,
      () => evaluate(expression, { ...event }),
    );
    return { name, value: typeof value === "string" ? value : toJsonText(value) };
  });
}
