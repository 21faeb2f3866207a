/** The API resources that Tiphys uses. */

/** The names by which the API serves a kind, and whether its objects are namespaced. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function core(plural: string, kind: string, namespaced = true): Resource {
  return { group: "", version: "v1", plural, kind, namespaced };
}

function argo(plural: string, kind: string, namespaced = true): Resource {
  return { group: "argoproj.io", version: "v1alpha1", plural, kind, namespaced };
}

export const PODS: Resource = core("pods", "Pod");
export const CONFIGMAPS: Resource = core("configmaps", "ConfigMap");
export const SECRETS: Resource = core("secrets", "Secret");
export const EVENTS: Resource = core("events", "Event");
export const SERVICES: Resource = core("services", "Service");
export const SERVICE_ACCOUNTS: Resource = core("serviceaccounts", "ServiceAccount");
export const PERSISTENT_VOLUME_CLAIMS: Resource = core("persistentvolumeclaims", "PersistentVolumeClaim");
export const NAMESPACES: Resource = core("namespaces", "Namespace", false);
export const NODES: Resource = core("nodes", "Node", false);

export const WORKFLOWS: Resource = argo("workflows", "Workflow");
export const WORKFLOW_TEMPLATES: Resource = argo("workflowtemplates", "WorkflowTemplate");
export const CLUSTER_WORKFLOW_TEMPLATES: Resource = argo("clusterworkflowtemplates", "ClusterWorkflowTemplate", false);
export const CRON_WORKFLOWS: Resource = argo("cronworkflows", "CronWorkflow");
export const WORKFLOW_TASK_SETS: Resource = argo("workflowtasksets", "WorkflowTaskSet");
export const WORKFLOW_TASK_RESULTS: Resource = argo("workflowtaskresults", "WorkflowTaskResult");
export const WORKFLOW_ARTIFACT_GC_TASKS: Resource = argo("workflowartifactgctasks", "WorkflowArtifactGCTask");
export const WORKFLOW_EVENT_BINDINGS: Resource = argo("workfloweventbindings", "WorkflowEventBinding");

export const LEASES: Resource = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};
export const DEPLOYMENTS: Resource = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
};
export const POD_DISRUPTION_BUDGETS: Resource = {
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
};
export const CUSTOM_RESOURCE_DEFINITIONS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};

/** Returns the `apiVersion` of a resource's objects. */
export function apiVersionOf(resource: Resource): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** Returns the URL path of a collection, an object in it, or an object's subresource. */
export function resourcePath(
  resource: Resource,
  namespace: string | undefined,
  name?: string,
  subresource?: string,
): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const parts = [root];
  if (resource.namespaced && namespace) parts.push("namespaces", encodeURIComponent(namespace));
  parts.push(resource.plural);
  if (name !== undefined) {
    if (name === "") throw new TypeError(`Expected a name for ${resource.kind}, got an empty one`);
    parts.push(encodeURIComponent(name));
  }
  if (subresource) parts.push(subresource);
  return parts.join("/");
}
