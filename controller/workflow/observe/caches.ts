/** Local copies of everything a pass reads, kept current by watches. */
import {
  type ClusterWorkflowTemplate,
  type ConfigMap,
  type Pod,
  podProblem,
  readPod,
  type ReadResult,
  readTaskResult,
  type ServiceAccount,
  type Workflow,
  type WorkflowTaskResult,
  type WorkflowTemplate,
} from "@tiphys/model/api";
import { LABEL, REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import {
  classifyError,
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  keyOf,
  type KubeClient,
  type KubeObject,
  NAMESPACES,
  PODS,
  type Resource,
  SERVICE_ACCOUNTS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TASK_SETS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";
import { Informer, ReadingInformer } from "@tiphys/kube/informers";
import { logWatchFailure } from "../../loop/watch_failure.ts";
import type { TaskSetFacts } from "@tiphys/engine/agent";
import { readTaskSet } from "./read_task_set.ts";
import type { SharedCopies } from "../../loop/running_kind.ts";
import type { Log } from "@tiphys/base/log";
import { retainedWorkflow } from "./finished.ts";
import { retainedPod } from "./finished_pod.ts";
import { retryAtStart } from "../../loop/retry_at_start.ts";
import { ownSelector } from "../../loop/own_selector.ts";
import {
  readClusterWorkflowTemplate,
  readConfigMap,
  readServiceAccount,
  readWorkflow,
  readWorkflowTemplate,
} from "./readers.ts";

const BY_WORKFLOW = "workflow";

/** The back-off of watches of forbidden resources, in milliseconds: short at first, finally more than five minutes. */
function slowBackoff(failures: number): number {
  return Math.min(1000 * 2 ** failures, 300_000) * (1 + Math.random() / 2);
}

/** The local copies, and their readers. */
export interface Caches {
  readonly workflows: ReadingInformer<ReadResult<Workflow>>;
  readonly pods: Informer<Pod>;
  readonly taskResults: ReadingInformer<ReadResult<WorkflowTaskResult>>;
  readonly workflowTemplates: ReadingInformer<ReadResult<WorkflowTemplate>>;
  /** Empty while they may not be read: then cluster templates cannot be used. */
  readonly clusterWorkflowTemplates: ReadingInformer<ReadResult<ClusterWorkflowTemplate>>;
  readonly configMaps: ReadingInformer<ReadResult<ConfigMap>>;
  /** Namespaces with their own limit; empty while they may not be read. */
  readonly namespaces: Informer<KubeObject>;
  /** Empty while they may not be read: then the state of agents is unknown. */
  readonly taskSets: ReadingInformer<TaskSetFacts>;
  /** The ConfigMaps `artifact-repositories`, one in a namespace. */
  readonly repositories: ReadingInformer<ReadResult<ConfigMap>>;
  /** Empty while they may not be read: then their tokens are expected under the usual name. */
  readonly serviceAccounts: ReadingInformer<ReadResult<ServiceAccount>>;
  podsOf(workflowKey: string): Pod[];
  /** The task results of a workflow, unparsed, as their informer keeps them. */
  taskResultsOf(workflowKey: string): KubeObject[];
  /** The keys of all workflows that have task results. */
  workflowsWithTaskResults(): string[];
}

/** The part of the cluster that is copied, and the client that watches it. */
export interface CachesOptions {
  readonly client: KubeClient;
  /** Only this namespace; all namespaces if undefined. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  /** Created by `sharedCopies`, and started here. */
  readonly copies: SharedCopies;
}

/**
 * Copies of this controller's workflows and of templates, for all kinds, not started yet. `onWorkflow` is called for
 * each workflow as it enters, because little is kept of finished ones.
 */
export function sharedCopies(
  { client, namespace, instanceId, log }: Omit<CachesOptions, "copies">,
  onWorkflow?: (workflow: KubeObject) => void,
): SharedCopies {
  const onError = (error: unknown) => logWatchFailure(log, error);
  return {
    workflows: new ReadingInformer(client, WORKFLOWS, {
      namespace,
      labelSelector: ownSelector(instanceId),
      onError,
      read: readWorkflow,
      reduce(workflow) {
        onWorkflow?.(workflow);
        return retainedWorkflow(workflow);
      },
    }),
    workflowTemplates: new ReadingInformer(client, WORKFLOW_TEMPLATES, {
      namespace,
      onError,
      read: readWorkflowTemplate,
    }),
    clusterWorkflowTemplates: new ReadingInformer(client, CLUSTER_WORKFLOW_TEMPLATES, {
      ...OPTIONAL,
      read: readClusterWorkflowTemplate,
    }),
  };
}

/** The options of watches that some installations do not allow. */
const OPTIONAL = { backoffMs: slowBackoff, onError: () => {} };

/** Parses a pod. An invalid one is logged, because it may not belong to a node. */
function readPodWarning(log: Log, object: object): Pod {
  const pod = readPod(object);
  const reason = podProblem(pod);
  if (reason !== undefined) log.warn("A pod cannot be parsed", { pod: keyOf(pod), reason });
  return pod;
}

/** Local copies, and the function that starts them. */
export interface StartableCaches {
  readonly caches: Caches;
  /**
   * Starts the watches; resolves when all first lists have arrived. Resources that some installations do not allow are
   * not awaited, and become available once they are allowed: a refused request is repeated.
   * @throws the signal's reason when it is aborted before.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** Creates the copies. Nothing is read before they are started. */
export function makeCaches(options: CachesOptions): StartableCaches {
  const { client, namespace, instanceId, log } = options;
  const own = ownSelector(instanceId);
  const onError = (error: unknown) => logWatchFailure(log, error);
  const indexers = {
    [BY_WORKFLOW]: (object: Pick<KubeObject, "metadata"> | Pick<Pod, "metadata">) => {
      const workflow = object.metadata.labels?.[LABEL.workflow];
      return workflow ? [`${object.metadata.namespace}/${workflow}`] : [];
    },
  };
  const owned = { namespace, labelSelector: `${LABEL.workflow},${own}`, indexers, onError };
  const copies = {
    ...options.copies,
    pods: new Informer<Pod>(client, PODS, {
      ...owned,
      convert: (object) => readPodWarning(log, object),
      reduce: retainedPod,
    }),
    taskResults: new ReadingInformer(client, WORKFLOW_TASK_RESULTS, { ...owned, read: readTaskResult }),
    serviceAccounts: new ReadingInformer(client, SERVICE_ACCOUNTS, {
      namespace,
      ...OPTIONAL,
      read: readServiceAccount,
    }),
    namespaces: new Informer<KubeObject>(client, NAMESPACES, {
      labelSelector: LABEL.parallelismLimit,
      ...(namespace === undefined ? {} : { fieldSelector: `metadata.name=${namespace}` }),
      ...OPTIONAL,
    }),
    taskSets: new ReadingInformer(client, WORKFLOW_TASK_SETS, {
      namespace,
      labelSelector: own,
      ...OPTIONAL,
      read: readTaskSet,
    }),
    repositories: new ReadingInformer(client, CONFIGMAPS, {
      namespace,
      fieldSelector: `metadata.name=${REPOSITORIES_CONFIG_MAP}`,
      onError,
      read: readConfigMap,
    }),
    configMaps: new ReadingInformer(client, CONFIGMAPS, {
      namespace,
      labelSelector: LABEL.configMapType,
      onError,
      read: readConfigMap,
    }),
  };
  return {
    caches: {
      ...copies,
      podsOf: (key) => copies.pods.byIndex(BY_WORKFLOW, key),
      taskResultsOf: (key) => copies.taskResults.byIndex(BY_WORKFLOW, key),
      workflowsWithTaskResults: () => copies.taskResults.indexKeys(BY_WORKFLOW),
    },
    async start(signal) {
      // Workflows last: when the first of them is seen, everything it needs has been read.
      const { workflows, serviceAccounts, clusterWorkflowTemplates, namespaces, taskSets, ...others } = copies;
      await Promise.all([
        ...Object.values(others).map((informer) => informer.start(signal)),
        startIfAllowed(options, serviceAccounts, SERVICE_ACCOUNTS, signal),
        startIfAllowed(options, taskSets, WORKFLOW_TASK_SETS, signal),
        startIfAllowed(options, clusterWorkflowTemplates, CLUSTER_WORKFLOW_TEMPLATES, signal),
        startIfAllowed(options, namespaces, NAMESPACES, signal),
      ]);
      await workflows.start(signal);
    },
  };
}

/**
 * Starts the copy of a resource that may be forbidden. Resolves with its first list, or as soon as it is known to be
 * forbidden: then the request is repeated at intervals until it is allowed.
 */
async function startIfAllowed(
  { client, namespace, log }: CachesOptions,
  informer: Pick<Informer<KubeObject>, "start">,
  resource: Resource,
  signal: AbortSignal,
): Promise<void> {
  const isAllowed = await retryAtStart(
    () => mayRead(client, resource, resource.namespaced ? namespace : undefined),
    { what: `check whether ${resource.plural} may be read`, log, signal },
  );
  const started = informer.start(signal);
  if (isAllowed) return await started;
  log.warn(`Reading ${resource.plural} is forbidden: they are ignored until it is allowed`);
  started.then(() => log.info(`Reading ${resource.plural} is allowed now`), () => {});
}

async function mayRead(client: KubeClient, resource: Resource, namespace?: string): Promise<boolean> {
  try {
    await client.list(resource, namespace, { limit: 1 });
    return true;
  } catch (error) {
    const sort = classifyError(error);
    if (sort === "forbidden" || sort === "notFound") return false;
    throw error;
  }
}
