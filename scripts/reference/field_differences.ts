/** The differences from Argo in `docs/status.md`, by the fields that they are about. */

/**
 * The fields of each row of the tables of `docs/status.md`, by its case; empty for a row that is not about a field.
 * `readDifferences` checks that it has every row.
 */
const FIELDS_OF_CASES: Readonly<Record<string, readonly string[]>> = {
  "An invalid expression, `when` or patch": ["WorkflowStep.when", "DAGTask.when", "Template.podSpecPatch"],
  "An output whose `valueFrom` has no source, or several": ["Parameter.valueFrom"],
  "A semaphore whose limit cannot be read": ["SemaphoreRef.configMapKeyRef"],
  "`graph with cycle`": ["DAGTask.dependencies", "DAGTask.depends"],
  "Messages about a spec": [],
  "A task whose inputs are not available": ["DAGTask.arguments"],
  "`steps: []`": ["Template.steps"],
  "A failed DAG or loop": ["Template.dag"],
  "Failed steps": ["Template.steps"],
  "A container with a NUL character in its command, arguments or environment": [
    "Container.command",
    "Container.args",
    "Container.env",
  ],
  "A stopped pod": ["WorkflowSpec.shutdown"],
  "A step or DAG below a stopped task": ["WorkflowSpec.shutdown"],
  "Exit handlers of a task that `Stop` ended": ["WorkflowSpec.shutdown"],
  "A task that depends on a stopped one": ["DAGTask.depends"],
  "A suspended workflow that is stopped or terminated": ["WorkflowSpec.suspend", "WorkflowSpec.shutdown"],
  "A retry whose next attempt would start after the deadline": ["RetryStrategy.backoff"],
  "A pod that exceeds a deadline": ["Template.activeDeadlineSeconds"],
  "Nodes that have not started, or wait, when a workflow ends by an error": [],
  "Nodes in a template that ended by `failFast` or an error, or whose attempt ended": [
    "Template.failFast",
    "DAGTemplate.failFast",
  ],
  "`retryStrategy.backoff` without `limit`": ["RetryStrategy.backoff"],
  "`nodeFlag` of an exit handler with retries": [],
  "A stopped daemon": ["Template.daemon"],
  "An attempt of a daemon that is not ready when the workflow ends": ["Template.daemon"],
  "A daemon with retries that fails while it serves": ["Template.daemon"],
  "`finishedAt` of a daemon with retries": ["Template.daemon"],
  "A daemon that is ready": ["Template.daemon", "WorkflowSpec.parallelism"],
  "`resubmit --memoized` after a failure in or after a DAG": [],
  "Daemons, suspended steps and HTTP calls in `resubmit --memoized`": [],
  "`depends` and the status in tags after a pod that `resubmit --memoized` skips": ["DAGTask.depends"],
  "Nodes after a call with retries whose result came from a cache": ["Template.memoize"],
  "Exit handlers of the items of a loop": ["WorkflowStep.hooks", "DAGTask.hooks"],
  "The argument `outputs.result` of an exit handler": ["LifecycleHook.arguments"],
  "An exit handler of a task whose expression is invalid": ["DAGTask.hooks"],
  "A hook with an invalid expression": ["LifecycleHook.expression"],
  "A hook of a task that others depend on, if the task and the DAG end in the same pass": ["DAGTask.hooks"],
  "A hook call that waits for a lock that its task holds": ["DAGTask.hooks"],
  "The exit handler of a loop that reaches the template's `parallelism`, or waits for a lock": ["Template.parallelism"],
  "Hooks of nodes in an exit handler": ["WorkflowStep.hooks", "DAGTask.hooks"],
  "An expression of a hook or exit handler that reads the outputs of the step or task it belongs to": [
    "LifecycleHook.expression",
  ],
  "Hooks of nodes that a retry reopens": [],
  "A step with `continueOn.error` whose loop, condition or artifact cannot be resolved": ["WorkflowStep.continueOn"],
  "Steps that end before any node of a group has started": ["Template.steps"],
  "A group of steps that runs again": ["Template.steps"],
  "A DAG with a task that ended in an error after all its nodes succeeded": ["Template.dag"],
  "A step that needs the result of a skipped one": ["WorkflowStep.when"],
  "A reference whose value never arrives": ["ValueFrom.default", "Parameter.default"],
  "Two node names with the same 32-bit hash": [],
  "A node whose ID has an unusual form": [],
  "Inline templates of a WorkflowTemplate in steps of the same name": ["WorkflowStep.inline", "DAGTask.inline"],
  "A loop over an inline template with inputs": ["WorkflowStep.inline", "DAGTask.inline"],
  "`{{item}}` and names of steps in an inline template": ["WorkflowStep.inline", "DAGTask.inline"],
  "`storedTemplates` of a workflow created from a template": ["WorkflowSpec.workflowTemplateRef"],
  "A step with `continueOn.error` whose pod, or other node, cannot be built": ["WorkflowStep.continueOn"],
  "A step that reaches its `timeout` or `pendingTimeout` before its pod runs, or without a pod": [
    "Template.timeout",
    "Template.pendingTimeout",
  ],
  "Annotation `pod-name-format` of a workflow that first waited for a lock": [],
  "`artifactRepositoryRef` if there is no repository": ["WorkflowSpec.artifactRepositoryRef"],
  "`PodRunning`": [],
  "Deleted volume claims": ["WorkflowSpec.volumeClaimTemplates"],
  "`templateDefaults` and the pod of the agent": ["WorkflowSpec.templateDefaults"],
  "`resourcesDuration` of a pod that is still running": [],
  "A sidecar that ran out of memory, if main succeeded": ["Template.sidecars"],
};

/** One difference, with the fields that it is about as `Type.field`. */
export interface Difference {
  readonly case: string;
  readonly argo: string;
  readonly tiphys: string;
  readonly fields: readonly string[];
}

/** The rows of the page. @throws for a row without an entry, and an entry without a row. */
export async function readDifferences(): Promise<readonly Difference[]> {
  const page = await Deno.readTextFile(new URL("../../docs/status.md", import.meta.url));
  const rows = page.split("\n").filter((line) => /^\| (?!-|Case )/.test(line))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\||\|$/g, "").trim()));
  const cases = rows.map(([subject = ""]) => subject);
  const unknown = cases.filter((subject) => !Object.hasOwn(FIELDS_OF_CASES, subject));
  const stale = Object.keys(FIELDS_OF_CASES).filter((subject) => !cases.includes(subject));
  if (unknown.length + stale.length > 0) {
    throw new Error(`scripts/reference/field_differences.ts and docs/status.md: ${[...unknown, ...stale].join("; ")}`);
  }
  return rows.map(([subject = "", argo = "", tiphys = ""]) => ({
    case: subject,
    argo,
    tiphys,
    fields: FIELDS_OF_CASES[subject]!,
  }));
}
