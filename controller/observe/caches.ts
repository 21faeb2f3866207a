/** Local copies of everything a pass reads, kept current by watches. */
import type {
  ClusterWorkflowTemplate,
  ConfigMap,
  Pod,
  ServiceAccount,
  WorkflowTaskResult,
  WorkflowTemplate,
} from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  Informer,
  type KubeClient,
  type KubeObject,
  PODS,
  type Resource,
  SERVICE_ACCOUNTS,
  sortError,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "../../lib/kube/mod.ts";
import type { Log } from "../log.ts";
import { ownSelector } from "./own_selector.ts";

const BY_WORKFLOW = "workflow";

/** The copies, and what they are asked for. */
export interface Caches {
  readonly workflows: Informer<KubeObject>;
  readonly pods: Informer<Pod>;
  readonly taskResults: Informer<WorkflowTaskResult>;
  readonly workflowTemplates: Informer<WorkflowTemplate>;
  /** Absent where we may not read them: then templates of the cluster cannot be used. */
  readonly clusterWorkflowTemplates: Informer<ClusterWorkflowTemplate> | undefined;
  readonly configMaps: Informer<ConfigMap>;
  /** Absent where we may not read them: then their tokens are looked for under the usual name. */
  readonly serviceAccounts: Informer<ServiceAccount> | undefined;
  podsOf(workflowKey: string): Pod[];
  taskResultsOf(workflowKey: string): WorkflowTaskResult[];
}

/** What to watch. */
export interface CachesOptions {
  readonly client: KubeClient;
  /** Only this namespace; all of them when absent. */
  readonly namespace?: string;
  readonly instanceId?: string;
  readonly log: Log;
}

/** Starts the watches; resolves when all first lists are in. */
export async function startCaches(options: CachesOptions, signal: AbortSignal): Promise<Caches> {
  const { client, namespace, instanceId, log } = options;
  const own = ownSelector(instanceId);
  const onError = (error: unknown) => log.warn("A watch failed and is opened again", { error: String(error) });
  const indexers = {
    [BY_WORKFLOW]: (object: { metadata: { namespace?: string; labels?: Record<string, string> } }) => {
      const workflow = object.metadata.labels?.[LABEL.workflow];
      return workflow ? [`${object.metadata.namespace}/${workflow}`] : [];
    },
  };
  const owned = { namespace, labelSelector: `${LABEL.workflow},${own}`, indexers, onError };
  const caches = {
    workflows: new Informer<KubeObject>(client, WORKFLOWS, { namespace, labelSelector: own, onError }),
    pods: new Informer<Pod>(client, PODS, owned),
    taskResults: new Informer<WorkflowTaskResult>(client, WORKFLOW_TASK_RESULTS, owned),
    workflowTemplates: new Informer<WorkflowTemplate>(client, WORKFLOW_TEMPLATES, { namespace, onError }),
    serviceAccounts: await mayRead(client, SERVICE_ACCOUNTS, namespace)
      ? new Informer<ServiceAccount>(client, SERVICE_ACCOUNTS, { namespace, onError })
      : undefined,
    clusterWorkflowTemplates: await mayRead(client, CLUSTER_WORKFLOW_TEMPLATES)
      ? new Informer<ClusterWorkflowTemplate>(client, CLUSTER_WORKFLOW_TEMPLATES, { onError })
      : undefined,
    configMaps: new Informer<ConfigMap>(client, CONFIGMAPS, { namespace, labelSelector: LABEL.configMapType, onError }),
  };
  if (!caches.clusterWorkflowTemplates) log.warn("Not allowed to read ClusterWorkflowTemplates: they cannot be used");
  // Workflows last: when the first of them is seen, everything it needs is there.
  const { workflows, ...others } = caches;
  await Promise.all(Object.values(others).map((informer) => informer?.start(signal)));
  await workflows.start(signal);
  return {
    ...caches,
    podsOf: (key) => caches.pods.byIndex(BY_WORKFLOW, key),
    taskResultsOf: (key) => caches.taskResults.byIndex(BY_WORKFLOW, key),
  };
}

async function mayRead(client: KubeClient, resource: Resource, namespace?: string): Promise<boolean> {
  try {
    await client.list(resource, namespace, { limit: 1 });
    return true;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "forbidden" || sort === "notFound") return false;
    throw error;
  }
}
