/** The page of messages that workflows, nodes and the command line show, with their causes. */
import { generatedFrom, table } from "./markdown.ts";

/** A message with `…` for the parts that vary, its cause, and what to do. */
type ErrorRow = readonly [message: string, cause: string, action: string];

/** Messages by the place where they appear. */
export const ERRORS: Readonly<Record<string, readonly ErrorRow[]>> = {
  "Containers": [
    [
      "… (exit code …)",
      "The command of the container ended with this code; `137` is a kill, `143` a termination",
      "Read the log: `tiphys logs WORKFLOW`; `tiphys why` shows its end",
    ],
    [
      "OOMKilled",
      "The container used more memory than its limit",
      "Raise `resources.limits.memory`",
    ],
    [
      "Pod failed before … container starts due to …: …",
      "The container could not be created: the reason is that of Kubernetes, such as `ErrImagePull`",
      "Check the image, its pull secret, and the Secrets and volumes that the container uses",
    ],
    [
      "failed to look-up entrypoint/cmd for image",
      "The container has no `command`, and the controller could not read that of the image",
      "Set `command`, or give the controller access to the [registry](../how-to/private-registries.md)",
    ],
    [
      "contains no argoexec that can run on node",
      "The container runtime of that node does not support image volumes",
      "Set the [layout](../pod-layouts.md) with init containers, or upgrade the runtime",
    ],
    [
      "the executor crashed with …",
      "The executor ended by a signal; the command of the step is not the cause",
      "Retry; report it if it happens again",
    ],
    [
      "pod deleted",
      "Something other than the controller deleted the pod: a person, a drained or lost node, an eviction",
      "Set `retryStrategy` with `retryPolicy: OnError`, or retry the workflow",
    ],
    [
      "pod failed: …",
      "The pod failed without a failed container; the rest is the cause that Kubernetes gives",
      "See `kubectl describe pod`",
    ],
    [
      "the API server rejected the pod: …",
      "Admission, a quota or a policy rejects the pod; the rest is its message",
      "Change the pod as the message requires, or ask the administrator",
    ],
    [
      "Error applying PodSpecPatch: …",
      "`podSpecPatch` is not a valid patch of this pod",
      "Compare it with `kubectl explain pod.spec`",
    ],
    [
      "volume '…' not found in workflow spec",
      "`volumeMounts` names a volume that neither the workflow nor the template has",
      "Add it to `volumes` or `volumeClaimTemplates`",
    ],
    [
      "failed to patch task result",
      "The service account of the pod may not write its results",
      "Bind the [executor's role](../install.md#on-a-cluster)",
    ],
  ],
  "Time and retries": [
    [
      "No more retries left",
      "All attempts of `retryStrategy` failed; the message of the last one follows",
      "See the attempts below the node",
    ],
    ["Max duration limit exceeded", "`backoff.maxDuration` has passed", "Raise it, or fix the cause of the failures"],
    [
      "Backoff would exceed max duration limit",
      "The next attempt would start after `backoff.maxDuration`",
      "Raise it, or lower `backoff.duration`",
    ],
    [
      "Step exceeded its deadline",
      "`activeDeadlineSeconds` of the workflow, or `backoff.maxDuration` of a retry, has passed",
      "Raise it",
    ],
    [
      "Pod was active on the node longer than the specified deadline",
      "`activeDeadlineSeconds` or `timeout` of the template has passed while the pod ran",
      "Raise it",
    ],
    ["… exceeded its deadline", "`timeout` of the template has passed before the pod was created", "Raise it"],
    [
      "timeout",
      "`timeout` or `pendingTimeout` of the template has passed before the pod ran, or `timeout` of one without a pod",
      "Raise it, or check why the pod waits",
    ],
    ["Workflow timed out", "`activeDeadlineSeconds` of the workflow has passed", "Raise it"],
    [
      "workflow shutdown with strategy",
      "A person or program stopped or terminated the workflow",
      "`tiphys retry` continues it",
    ],
  ],
  "Values and references": [
    [
      "inputs.parameters.… was not supplied",
      "A call gives no value for this input, and the input has no default",
      "Give the argument, or add `default`",
    ],
    [
      "inputs.artifacts.… was not supplied",
      "A call gives no artifact for this input",
      "Give the argument, or set `optional: true` on the input",
    ],
    [
      "inputs.artifacts.… missing location information",
      "The argument refers to the output of a step or task that was skipped or omitted",
      "Set `optional: true` on the input, or skip this step, too",
    ],
    [
      "argument references an absent optional",
      "The argument refers to the output of a step or task that was skipped or omitted",
      "Add `default` to the input, or `valueFrom.default` to the output",
    ],
    [
      "failed to resolve {{…}}: …",
      "The tag has no value: its step or task has ended without it, or this one does not depend on it",
      "Check the name and `depends`; `tiphys lint` finds misspelled names",
    ],
    [
      "Unable to resolve: …",
      "`from` or `fromExpression` of an artifact gives no artifact",
      "Check the name, or set `optional: true`",
    ],
    [
      "unable to resolve outputs from scope: …",
      "An output of steps or a DAG refers to a value that does not exist",
      "Check `valueFrom` and `from` of the outputs",
    ],
    [
      "ConfigMap '…' does not have the key '…'",
      "`configMapKeyRef` names a key that does not exist",
      "Add the key, or set `valueFrom.default`",
    ],
    [
      "template … not found",
      "No template has this name",
      "Check the name; WorkflowTemplates must be in the same namespace",
    ],
    [
      "workflow template … not found",
      "The WorkflowTemplate does not exist in the namespace of the workflow",
      "Create it, or set `clusterScope: true` for a ClusterWorkflowTemplate",
    ],
    [
      "invalid cache key: …",
      "`memoize.key` has characters that a ConfigMap key cannot have",
      "Use letters, digits and `-`",
    ],
  ],
  "Artifacts": [
    [
      "failed to find any artifact repository",
      "The ConfigMap or key of `artifactRepositoryRef` does not exist",
      "Create it, or configure a [default repository](../artifacts/README.md)",
    ],
    [
      "artifact … was deleted by garbage collection",
      "`artifactGC` has deleted the artifact that a retried step needs",
      "Retry from the step that produces it, or keep artifacts longer",
    ],
    [
      "artifact driver … not found",
      "No artifact plugin has this name in the settings",
      "Add it to `artifactDrivers` ([plugins](../artifacts/plugin.md))",
    ],
  ],
  "Limits and locks": [
    [
      "Workflow processing has been postponed",
      "`parallelism` or `namespaceParallelism` of the settings is reached",
      "Wait, or raise it",
    ],
    [
      "Waiting for … lock",
      "Other workflows or nodes hold the mutex or semaphore",
      "`tiphys why WORKFLOW` names the holders",
    ],
    [
      "template and workflow both need the lock",
      "A template requests a lock that its workflow holds already",
      "Remove one of the two",
    ],
    [
      "Maximum recursion depth exceeded",
      "Templates call each other too deeply",
      "Check the condition that ends the recursion ([limits](../limits.md))",
    ],
    [
      "a workflow may have … nodes",
      "The workflow would have more nodes than `MAX_WORKFLOW_NODES`",
      "Split it, or raise the [limit](../limits.md)",
    ],
  ],
  "Command line": [
    [
      "No embedded cluster runs with data folder …",
      "`--local` or `--data` names a cluster that no process runs",
      "Start it with `tiphys local`, or use `tiphys run FILE`",
    ],
    [
      "No controller has started workflow … yet",
      "The controller is not running, or manages other namespaces or instance IDs",
      "`kubectl -n argo get deploy`; `tiphys why WORKFLOW`",
    ],
    [
      "field label not supported: …",
      "No API server selects by this field",
      "Use `--status`, `--older` or `--since` of `tiphys list`",
    ],
    [
      "… already exists",
      "An object of this kind has the same name",
      "`tiphys template update`, `tiphys cron update`, or another name",
    ],
  ],
};

/** The text of `docs/reference/errors.md`. */
export function errorsPage(): string {
  const sections = Object.entries(ERRORS).map(([place, rows]) =>
    `## ${place}\n\n${
      table(
        ["Message", "Cause", "What to do"],
        rows.map(([message, ...rest]) => [`\`${message.replaceAll("`", "'")}\``, ...rest]),
      )
    }`
  );
  return `${generatedFrom("scripts/reference/errors.ts")}

# Error messages

Messages of workflows, nodes and commands, by what they are about. \`…\` is a part that varies. \`tiphys why WORKFLOW\`
shows the first node that failed with its message and the end of its log; [why](../why.md#reasons) lists what a workflow
can wait for. Messages of \`tiphys lint\` begin with the place in the manifest and name what is expected there.

${sections.join("\n\n")}
`;
}
