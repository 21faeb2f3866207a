/** The three kinds that workflows are made from, as their routes name them. */
import type { KindName } from "@tiphys/model/api";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, type Resource, WORKFLOW_TEMPLATES } from "@tiphys/kube";

/** A kind that workflows are made from. */
export interface TemplateKind {
  readonly kind: KindName & ("WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow");
  readonly resource: Resource;
  /** The path of all of them, with the namespace where they have one. */
  readonly path: string;
  /** The service in the ids of operations. */
  readonly service: string;
  /** The field of bodies that holds the object. */
  readonly field: string;
  /** The refusal of a body without it. */
  readonly missing: string;
}

export const TEMPLATE_KINDS: readonly TemplateKind[] = [
  {
    kind: "WorkflowTemplate",
    resource: WORKFLOW_TEMPLATES,
    path: "/api/v1/workflow-templates/{namespace}",
    service: "WorkflowTemplateService",
    field: "template",
    missing: "workflow template was not found in the request body",
  },
  {
    kind: "ClusterWorkflowTemplate",
    resource: CLUSTER_WORKFLOW_TEMPLATES,
    path: "/api/v1/cluster-workflow-templates",
    service: "ClusterWorkflowTemplateService",
    field: "template",
    missing: "cluster workflow template was not found in the request body",
  },
  {
    kind: "CronWorkflow",
    resource: CRON_WORKFLOWS,
    path: "/api/v1/cron-workflows/{namespace}",
    service: "CronWorkflowService",
    field: "cronWorkflow",
    missing: "cron workflow was not found in the request body",
  },
];
