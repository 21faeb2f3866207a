/** The kinds of the group `argoproj.io`, with the properties of their CRDs. */
import type { z } from "zod";
import { CronWorkflow } from "./cron_workflow.ts";
import { WorkflowEventBinding } from "./event_binding.ts";
import { WorkflowArtifactGCTask, WorkflowTaskResult, WorkflowTaskSet } from "./task.ts";
import { ClusterWorkflowTemplate, Workflow, WorkflowTemplate } from "./workflow.ts";

/** The group of all kinds. */
export const GROUP = "argoproj.io";
/** The one version of all kinds. */
export const VERSION = "v1alpha1";
/** The text of `apiVersion` in the objects of all kinds: the group and the version. */
export const API_VERSION = "argoproj.io/v1alpha1";

/** The type of each kind by name. */
export interface KindTypes {
  Workflow: Workflow;
  WorkflowTemplate: WorkflowTemplate;
  ClusterWorkflowTemplate: ClusterWorkflowTemplate;
  CronWorkflow: CronWorkflow;
  WorkflowTaskSet: WorkflowTaskSet;
  WorkflowTaskResult: WorkflowTaskResult;
  WorkflowArtifactGCTask: WorkflowArtifactGCTask;
  WorkflowEventBinding: WorkflowEventBinding;
}

/** The name of a kind. */
export type KindName = keyof KindTypes;

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "date";
  readonly jsonPath: string;
  readonly description: string;
}

/** One kind. */
export interface Kind<Type = unknown> {
  readonly schema: z.ZodType<Type>;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  /** Whether the status is a subresource. Workflows and cron workflows do not have one. */
  readonly statusSubresource: boolean;
  readonly columns: readonly PrinterColumn[];
}

const workflowColumns: readonly PrinterColumn[] = [
  { name: "Status", type: "string", jsonPath: ".status.phase", description: "Status of the workflow" },
  { name: "Age", type: "date", jsonPath: ".status.startedAt", description: "When the workflow was started" },
  { name: "Message", type: "string", jsonPath: ".status.message", description: "Why the workflow is in this state" },
];

const plain = { shortNames: [], namespaced: true, statusSubresource: false, columns: [] };

/** All kinds. */
export const KINDS: { readonly [Name in KindName]: Kind<KindTypes[Name]> } = {
  Workflow: { ...plain, schema: Workflow, plural: "workflows", shortNames: ["wf"], columns: workflowColumns },
  WorkflowTemplate: { ...plain, schema: WorkflowTemplate, plural: "workflowtemplates", shortNames: ["wftmpl"] },
  ClusterWorkflowTemplate: {
    ...plain,
    schema: ClusterWorkflowTemplate,
    plural: "clusterworkflowtemplates",
    shortNames: ["clusterwftmpl", "cwft"],
    namespaced: false,
  },
  CronWorkflow: { ...plain, schema: CronWorkflow, plural: "cronworkflows", shortNames: ["cwf", "cronwf"] },
  WorkflowTaskSet: {
    ...plain,
    schema: WorkflowTaskSet,
    plural: "workflowtasksets",
    shortNames: ["wfts"],
    statusSubresource: true,
  },
  WorkflowTaskResult: { ...plain, schema: WorkflowTaskResult, plural: "workflowtaskresults" },
  WorkflowArtifactGCTask: {
    ...plain,
    schema: WorkflowArtifactGCTask,
    plural: "workflowartifactgctasks",
    shortNames: ["wfat"],
    statusSubresource: true,
  },
  WorkflowEventBinding: {
    ...plain,
    schema: WorkflowEventBinding,
    plural: "workfloweventbindings",
    shortNames: ["wfeb"],
  },
};

/** Whether a string is the name of a kind of Argo. */
export function isKindName(word: unknown): word is KindName {
  return typeof word === "string" && Object.hasOwn(KINDS, word);
}
