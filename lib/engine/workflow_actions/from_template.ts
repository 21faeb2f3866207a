/** Workflows created from objects in the cluster: `submit --from kind/name`. */
import { API_VERSION, type CronWorkflow, type Workflow } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { timeText } from "@tiphys/model/status";
import { ActionError } from "./error.ts";

/** Kinds that workflows can be created from. */
export type SourceKind = "WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow";

const KIND_NAMES: Readonly<Record<string, SourceKind>> = {
  workflowtemplate: "WorkflowTemplate",
  workflowtemplates: "WorkflowTemplate",
  wftmpl: "WorkflowTemplate",
  clusterworkflowtemplate: "ClusterWorkflowTemplate",
  clusterworkflowtemplates: "ClusterWorkflowTemplate",
  cwft: "ClusterWorkflowTemplate",
  cwftmpl: "ClusterWorkflowTemplate",
  cronworkflow: "CronWorkflow",
  cronworkflows: "CronWorkflow",
  cronwf: "CronWorkflow",
  cwf: "CronWorkflow",
};

/**
 * Parses `kind/name`.
 * @throws {ActionError} for another format, or a kind that workflows cannot be created from.
 */
export function parseSource(text: string): { readonly kind: SourceKind; readonly name: string } {
  const [word = "", ...rest] = text.split("/");
  const name = rest.join("/");
  if (!name) {
    throw new ActionError(
      `resource identifier '${text}' is malformed. Should be \`kind/name\`, e.g. cronwf/hello-world-cwf`,
    );
  }
  const kind = KIND_NAMES[word.toLowerCase()];
  if (kind === undefined) {
    const known = "workflowtemplate, clusterworkflowtemplate, cronworkflow";
    throw new ActionError(`resource kind '${word}' is not supported: expected one of ${known}`);
  }
  return { kind, name };
}

/** Returns a workflow that runs a workflow template. */
export function workflowFromTemplate(kind: "WorkflowTemplate" | "ClusterWorkflowTemplate", name: string): Workflow {
  const clusterScope = kind === "ClusterWorkflowTemplate";
  const label = clusterScope ? LABEL.clusterWorkflowTemplate : LABEL.workflowTemplate;
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { generateName: `${name}-`, labels: { [label]: name } },
    spec: { workflowTemplateRef: { name, ...(clusterScope ? { clusterScope } : {}) } },
  };
}

/**
 * Returns the workflow that a user starts manually from a cron workflow: scheduled now, and for the controller instance
 * of the cron workflow.
 */
export function workflowStartedFromCron(cron: CronWorkflow, now: Date): Workflow {
  const workflow = workflowFromCron(cron);
  const { labels, annotations, ...metadata } = workflow.metadata;
  const instanceId = cron.metadata.labels?.[LABEL.instanceId];
  return {
    ...workflow,
    metadata: {
      ...metadata,
      labels: { ...labels, ...(instanceId ? { [LABEL.instanceId]: instanceId } : {}) },
      annotations: { ...annotations, [ANNOTATION.scheduledTime]: timeText(now) },
    },
  };
}

/** Returns the workflow of a cron workflow, independent of its start time. */
export function workflowFromCron(cron: CronWorkflow): Workflow {
  const { workflowMetadata, workflowSpec } = cron.spec;
  const name = cron.metadata.name ?? "";
  const { finalizers } = workflowMetadata ?? {};
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: {
      generateName: `${name}-`,
      labels: { ...workflowMetadata?.labels, [LABEL.cronWorkflow]: name },
      ...(workflowMetadata?.annotations ? { annotations: { ...workflowMetadata.annotations } } : {}),
      ...(finalizers?.length ? { finalizers: [...finalizers] } : {}),
      ...(cron.metadata.uid
        ? {
          ownerReferences: [{
            apiVersion: API_VERSION,
            kind: "CronWorkflow",
            name,
            uid: cron.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          }],
        }
        : {}),
    },
    spec: workflowSpec,
  };
}
