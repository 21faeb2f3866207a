/**
 * The Kubernetes client: typed requests over one transport. This face has what nearly every caller needs; README.md lists
 * the others.
 *
 * - transport.ts (network), handler_transport.ts (a server in this process), in_cluster.ts (a pod), kubeconfig.ts (a
 *   user; plain_kubeconfig.ts, exec_login.ts, login.ts), connect.ts (selects one), credentials.ts
 * - client.ts: requests; flow_control.ts: limit of concurrent requests; watch.ts, lines.ts, exec.ts: streams;
 *   errors.ts: classified errors
 * - informer.ts: a local copy that stays current; reading_informer.ts: a copy with parsed objects
 * - leader_election.ts: one active process, others on standby
 * - object_data.ts: the texts of ConfigMaps and Secrets; secret_value.ts: settings that are stored in Secrets
 * - resources.ts, object.ts, selectors.ts, owned_by.ts, field_owners.ts: types; patch/: patches as pure functions
 *
 * Any package may import this one. The executor uses only in_cluster.ts and client.ts, which have no npm imports. Code
 * that also runs in a browser uses only patch/ and selectors.ts.
 */

export { KubeClient } from "./client.ts";
export { classifyError, KubeError } from "./errors.ts";
export { handlerTransport } from "./handler_transport.ts";
export { listMetadata } from "./list_metadata.ts";
export { keyOf, type KubeObject } from "./object.ts";
export { isOwnedBy } from "./owned_by.ts";
export {
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  CRON_WORKFLOWS,
  CUSTOM_RESOURCE_DEFINITIONS,
  DEPLOYMENTS,
  EVENTS,
  LEASES,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  POD_DISRUPTION_BUDGETS,
  PODS,
  type Resource,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  WORKFLOW_ARTIFACT_GC_TASKS,
  WORKFLOW_EVENT_BINDINGS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TASK_SETS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "./resources.ts";
export { httpTransport, type Transport } from "./transport.ts";
