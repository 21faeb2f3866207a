/** The page of variables. `variables_test.ts` compares it with the language. */
import { generatedFrom, table } from "./markdown.ts";

/** A row: the variables, in which names in capitals stand for any name, and their value. */
type VariableRow = readonly [names: readonly string[], value: string];

/** The variables of every template. */
export const OF_WORKFLOW: readonly VariableRow[] = [
  [["workflow.name", "workflow.namespace", "workflow.uid"], "The workflow"],
  [["workflow.mainEntrypoint", "workflow.serviceAccountName"], "Fields of its spec"],
  [["workflow.priority"], "The priority, if the spec has one"],
  [["workflow.parameters.NAME"], "A parameter"],
  [["workflow.parameters", "workflow.parameters.json"], "All parameters, as JSON"],
  [["workflow.labels.NAME", "workflow.annotations.NAME"], "A label or annotation"],
  [
    ["workflow.labels", "workflow.labels.json", "workflow.annotations", "workflow.annotations.json"],
    "All labels or annotations, as JSON",
  ],
  [["workflow.creationTimestamp", "workflow.creationTimestamp.RFC3339"], "The creation time in RFC 3339"],
  [["workflow.creationTimestamp.s"], "The creation time in seconds since 1970"],
  [
    ["workflow.creationTimestamp.LETTER"],
    "A part of the creation time, by a format letter of strftime, such as `.Y` for the year",
  ],
  [["workflow.scheduledTime"], "The scheduled time of a workflow that a CronWorkflow started"],
  [["workflow.outputs.parameters.NAME", "workflow.outputs.artifacts.NAME"], "Outputs with a `globalName`"],
];

/** The variables of metrics and of the exit handler of a workflow. */
export const AT_END: readonly VariableRow[] = [
  [["workflow.duration"], "Seconds since the start, also in metrics"],
  [["workflow.status"], "The phase"],
  [["workflow.failures"], "The failed nodes, as JSON"],
];

/** The variables of the template in which a tag is. */
export const OF_TEMPLATE: readonly VariableRow[] = [
  [["inputs.parameters.NAME"], "An input"],
  [["inputs.parameters"], "All inputs, as JSON"],
  [
    ["inputs.artifacts.NAME.path", "outputs.artifacts.NAME.path", "outputs.parameters.NAME.path"],
    "Paths in the container",
  ],
  [["pod.name", "node.name"], "The pod and the node"],
  [["retries"], "Attempts before this one, with a `retryStrategy`"],
  [
    ["lastRetry.exitCode", "lastRetry.status", "lastRetry.duration", "lastRetry.message"],
    "The previous attempt, in `retryStrategy.expression`",
  ],
];

/** The variables of a step. Those of a task begin with `tasks`. */
export const OF_STEP: readonly VariableRow[] = [
  [["steps.NAME.outputs.result"], "The output of a script or container, or the body of an HTTP response"],
  [["steps.NAME.outputs.parameters.NAME"], "An output parameter"],
  [["steps.NAME.outputs.artifacts.NAME"], "An output artifact, for `from`"],
  [["steps.NAME.exitCode"], "The exit code of the main container"],
  [["steps.NAME.status"], "The phase"],
  [
    ["steps.NAME.id", "steps.NAME.startedAt", "steps.NAME.finishedAt", "steps.NAME.hostNodeName"],
    "Facts about the node",
  ],
  [["steps.NAME.ip"], "The address of a daemon"],
  [["item", "item.FIELD"], "The item of a loop"],
];

/** The text of `docs/reference/variables.md`. */
export function variablesPage(): string {
  const rows = (of: readonly VariableRow[]) =>
    table(["Variable", "Value"], of.map(([names, value]) => [names.map((name) => `\`${name}\``).join(", "), value]));
  return `${generatedFrom("scripts/reference/variables.ts")}

# Variables

Names that tags (\`{{name}}\`) and expressions (\`{{=name}}\`) know. Replace the words in capitals. How and when variables are
replaced: [template language](../template-language.md#when-tags-are-filled-in).

## Everywhere in a workflow

${rows(OF_WORKFLOW)}

## In exit handlers

${rows(AT_END)}

## In a template

${rows(OF_TEMPLATE)}

## In steps and DAGs

The variables of a task of a DAG begin with \`tasks\` instead of \`steps\`.

${rows(OF_STEP)}

## In other places

| Where | Variable |
| --- | --- |
| \`when\` and \`stopStrategy\` of a CronWorkflow | \`cronworkflow.name\`, \`.namespace\`, \`.labels\`, \`.active\`, \`.failed\`, \`.succeeded\`, \`.lastScheduledTime\` |
| \`successCondition\` of an HTTP template | \`request\`, \`response.statusCode\`, \`response.headers\`, \`response.body\` |
| \`transformation\` of a data template | \`data\` |
| an event binding | \`payload\`, \`discriminator\`, \`metadata\`, \`namespace\` |
`;
}
