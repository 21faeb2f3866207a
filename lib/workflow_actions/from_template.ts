/** Workflows made from what is in the cluster: `submit --from kind/name`. */
import { API_VERSION, type CronWorkflow, type Workflow } from "../api/mod.ts";
import { ANNOTATION, LABEL } from "../constants.ts";
import { timeText } from "../status/mod.ts";
import { ActionError } from "./error.ts";

/** Kinds that workflows are made from. */
export type SourceKind = "WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow";

const WORDS: Readonly<Record<string, SourceKind>> = {
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
 * Reads `kind/name`.
 * @throws {ActionError} when it is not that, or no workflow is made from the kind.
 */
export function parseSource(text: string): { readonly kind: SourceKind; readonly name: string } {
  const [word = "", ...rest] = text.split("/");
  const name = rest.join("/");
  if (!name) {
    throw new ActionError(
      `resource identifier '${text}' is malformed. Should be \`kind/name\`, e.g. cronwf/hello-world-cwf`,
    );
  }
  const kind = WORDS[word.toLowerCase()];
  if (kind === undefined) throw new ActionError(`resource kind '${word}' is not supported`);
  return { kind, name };
}

/** A workflow that runs a template of a whole workflow. */
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
 * The workflow that somebody starts of a cron workflow by hand: as scheduled now, and for the controller that answers for the
 * cron workflow.
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

/** The workflow of a cron workflow, whenever it runs. */
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
