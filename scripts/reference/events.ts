/** The page of Kubernetes events. */
import { generatedFrom, table } from "./markdown.ts";

/** An event: its reason, its type, the kind of object that it is about, and when it is emitted. */
type EventRow = readonly [reason: string, type: "Normal" | "Warning", about: string, when: string];

/** All events of the controller and the server. */
export const EVENTS: readonly EventRow[] = [
  ["WorkflowRunning", "Normal", "Workflow", "The workflow starts"],
  ["WorkflowSucceeded", "Normal", "Workflow", "The workflow succeeded"],
  [
    "WorkflowFailed",
    "Warning",
    "Workflow",
    "The workflow failed or ended in an error; the message is that of the workflow",
  ],
  ["WorkflowTimedOut", "Warning", "Workflow", "`activeDeadlineSeconds` of the workflow has passed"],
  ["WorkflowNodeRunning", "Normal", "Workflow", "A node starts"],
  ["WorkflowNodeSucceeded", "Normal", "Workflow", "A node succeeded"],
  ["WorkflowNodeFailed", "Warning", "Workflow", "A node failed"],
  ["WorkflowNodeError", "Warning", "Workflow", "A node ended in an error"],
  ["WorkflowNodeSkipped", "Warning", "Workflow", "A node was skipped, because its condition is false"],
  ["WorkflowNodeOmitted", "Warning", "Workflow", "A node was omitted, because `depends` is false"],
  ["MetricsError", "Warning", "Workflow", "A metric of the workflow is invalid and was not emitted"],
  ["MemoizationSaveFailed", "Warning", "Workflow", "The outputs of a node could not be written to the cache"],
  ["PodExecForbidden", "Warning", "Workflow", "The controller may not signal containers of pods of older layouts"],
  ["ImageVolumeDropped", "Warning", "Workflow", "The API server dropped the image volume of a pod"],
  ["PodLevelResourcesDropped", "Warning", "Workflow", "The API server dropped `podResources`"],
  ["ResourceClaimsDropped", "Warning", "Workflow", "The API server dropped `resourceClaims`"],
  ["ExecutorPluginInvalid", "Warning", "Workflow", "The manifest of an executor plugin is invalid"],
  ["ArtifactsStay", "Warning", "Workflow", "Artifacts are kept, because their store cannot delete them"],
  ["ArtifactGCFailed", "Warning", "Workflow", "Artifacts could not be deleted"],
  [
    "ImageStandIn",
    "Warning",
    "Workflow, Pod",
    "The embedded cluster uses a [stand-in](../local.md#images) for an image",
  ],
  ["Malformed", "Warning", "CronWorkflow", "The cron workflow cannot be read"],
  ["WorkflowEventBindingError", "Warning", "WorkflowEventBinding", "An event could not be dispatched to the template"],
  ["UnreadableSetting", "Warning", "ConfigMap", "A key of the controller's settings is invalid or has no effect"],
];

/** The text of `docs/reference/events.md`. */
export function eventsPage(): string {
  return `${generatedFrom("scripts/reference/events.ts")}

# Events

Kubernetes events of the controller (\`workflow-controller\`) and of the server (\`workflow-server\`):

\`\`\`sh
kubectl get events --field-selector involvedObject.name=WORKFLOW
\`\`\`

${table(["Reason", "Type", "About", "When"], EVENTS.map(([reason, ...rest]) => [`\`${reason}\``, ...rest]))}

Events of nodes have annotations with the ID, name, type and start of the node. \`nodeEvents\` and \`workflowEvents\` in
the [settings](../settings.md) turn events off; \`nodeEvents.sendAsPod\` attaches those of nodes to their pods.
`;
}
