/** The three kinds from which workflows are created, with the names in their routes. */
import type { KindName } from "@tiphys/model/api";
import { CLUSTER_WORKFLOW_TEMPLATES, CRON_WORKFLOWS, type Resource, WORKFLOW_TEMPLATES } from "@tiphys/kube";

/** A kind from which workflows are created. */
export interface TemplateKind {
  readonly kind: KindName & ("WorkflowTemplate" | "ClusterWorkflowTemplate" | "CronWorkflow");
  readonly resource: Resource;
  /** The path of their list, including the namespace if the kind is namespaced. */
  readonly path: string;
  /** The service in operation IDs. */
  readonly service: string;
  /** The field of bodies with the object. */
  readonly field: string;
  /** The error if a body has no such field. */
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
