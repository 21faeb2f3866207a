/** An event seen by a binding: whether it is meant, and the workflow that is made of it. */
import type { Workflow, WorkflowEventBinding, WorkflowTemplate } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import type { Value } from "../../lib/go/mod.ts";
import { evaluate, evaluatePlainCondition, toJsonText } from "../../lib/template/mod.ts";
import { UserError } from "../../lib/user_error.ts";
import { workflowFromTemplate } from "../../lib/workflow_actions/mod.ts";
import { told } from "./told.ts";

/** An event as expressions see it. */
export interface Event {
  readonly namespace: string;
  readonly discriminator: string;
  /** The body, as Go reads JSON. */
  readonly payload: Value;
  /** Headers whose names begin with `x-`, by their names in lower case. */
  readonly metadata: Readonly<Record<string, readonly string[]>>;
}

/** A binding that submits something. */
type Submit = NonNullable<WorkflowEventBinding["spec"]["submit"]>;

/** A template as far as workflows made of it take something over. */
export type SourceTemplate = Pick<WorkflowTemplate, "spec">;

/**
 * Whether a binding means an event.
 * @throws for a selector that fails, names something that there is not, or gives no yes or no.
 */
export function isMeant({ spec }: WorkflowEventBinding, event: Event): boolean {
  return told(
    "failed to evaluate workflow template expression",
    () => evaluatePlainCondition(spec.event.selector, { ...event }),
  );
}

/**
 * The workflow that an event makes.
 * @throws {UserError} or the expression's error for what the binding cannot have meant.
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

/** The metadata of a binding is made of expressions that give texts. */
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

function textOf(place: string, expression: string, event: Event): string {
  const value = told(`failed to evaluate workflow ${place} expression`, () => evaluate(expression, { ...event }));
  if (typeof value === "string") return value;
  throw new UserError(
    `workflow ${place} expression must evaluate to a string, it gave ${toJsonText(value).slice(0, 100)}`,
  );
}

/** The arguments: a text as it is, everything else as JSON. */
function parametersOf({ arguments: given }: Submit, event: Event): { name: string; value: string }[] {
  return (given?.parameters ?? []).map(({ name, valueFrom }) => {
    if (valueFrom === undefined || valueFrom === null) {
      throw new UserError(`malformed workflow template parameter "${name}": valueFrom is nil`);
    }
    if (!valueFrom.event) {
      throw new UserError(`malformed workflow template parameter "${name}": valueFrom.event is empty`);
    }
    const { event: expression } = valueFrom;
    const value = told(
      `failed to evaluate workflow template parameter "${name}" expression`,
      () => evaluate(expression, { ...event }),
    );
    return { name, value: typeof value === "string" ? value : toJsonText(value) };
  });
}
