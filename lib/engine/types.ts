/**
 * The types of a decision: its input and its result. All of them are plain data: `decide()` receives facts, and returns
 * a new status with the actions that follow from it, without side effects.
 */
import type {
  ArtifactRepository,
  ClusterWorkflowTemplate,
  ConfigMap,
  Outputs,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReadResult,
  ServiceAccount,
  Template,
  Workflow,
  WorkflowArtifactGCTask,
  WorkflowPhase,
  WorkflowTaskResult,
  WorkflowTemplate,
} from "@tiphys/model/api";
import type { TextPattern } from "@tiphys/base/transient";
import type { LabelSelector } from "@tiphys/kube/selectors";
import type { NodeCompression } from "@tiphys/model/nodes";
import type { CustomValue } from "@tiphys/base/metrics";
import type { AgentSettings, ExecutorConfig, ImageCommand, UnknownImage } from "./pod/mod.ts";
import type { EngineLimits } from "./allowance.ts";
import type { NodesSnapshot } from "./nodes/node_table.ts";
import type { Baseline } from "./workflow/baseline.ts";
import type { AgentFacts } from "./agent/facts.ts";
import type { MemoLookup } from "./memo/cache_map.ts";
import type { RunningGauge } from "./metrics/metric_values.ts";
import type { ChangeLog } from "./nodes/change_log.ts";
import type { LockChanges, LockFacts } from "./locks/lock_facts.ts";

/** The observed facts about a workflow at a point in time. */
export interface ObservedState {
  /** Pods of this workflow, by node ID, including created pods that no watch has reported yet. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** IDs of the nodes whose pod or report changed, in order. Without it, a pass checks all nodes. */
  readonly changes?: ChangeLog;
  /**
   * Keys (`KIND/NAME`) of changed facts outside of the workflow's nodes, such as a lock or a cache entry, in order.
   * Only nodes with a recorded dependency on a fact are checked when it changes (`due/evaluation.ts`).
   */
  readonly outside?: ChangeLog;
  /** Locks of this workflow; absent until it requests one. */
  readonly locks?: LockFacts | undefined;
  /** Maximum number of pods that this pass may request; absent without a limit. Others follow after their creation. */
  readonly maxPodRequests?: number;
  /** Task results of this workflow, by node ID. */
  readonly taskResults: ReadonlyMap<string, ReadResult<WorkflowTaskResult>>;
  /** Claims of `volumeClaimTemplates` that are known to exist or to be deleted, by name. */
  readonly claims: ReadonlyMap<string, "present" | "gone">;
  /** Whether the pod disruption budget of the workflow is known to exist or to be deleted. */
  readonly budget?: "present" | "gone" | undefined;
  /** Refusals of earlier requests to create an object, by node ID, or by the name of a claim or of the budget. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** The durations from which those of this workflow are estimated; absent if no similar workflow has succeeded. */
  readonly baseline?: Baseline | undefined;
  /** False while the limit on running workflows is reached, so that this one must wait. */
  readonly mayStart?: boolean;
  /** The facts about the pods that delete the workflow's artifacts; set only while our finalizer holds the workflow. */
  readonly garbage?: GarbageFacts | undefined;
  /** Returns an object by name; a problem for an invalid one; undefined if it does not exist. */
  workflowTemplate(name: string): ReadResult<WorkflowTemplate> | undefined;
  clusterWorkflowTemplate(name: string): ReadResult<ClusterWorkflowTemplate> | undefined;
  configMap(name: string): ReadResult<ConfigMap> | undefined;
  /** The ConfigMap `artifact-repositories` of the workflow's namespace. */
  repositories?(): ReadResult<ConfigMap> | undefined;
  /** Commands of images that `lookUpImage` requested, by `imageKey`. */
  readonly images?: ReadonlyMap<string, ImageCommandResult>;
  /** ConfigMaps that `readConfigMap` requested, by `namespace/name`. */
  readonly readConfigMaps: ReadonlyMap<string, ReadConfigMap>;
  /** The facts about the agent that runs the workflow's HTTP and plugin tasks; absent without an agent. */
  readonly agent?: AgentFacts;
  /** The results of cache lookups (`lookUpMemo`), by node ID. Their keys in `outside` are `memo/ID`. */
  readonly memos?: ReadonlyMap<string, MemoLookup>;
  /**
   * Returns the reason why a value cannot be recorded with its name and labels; undefined if it can. Absent if all
   * values can be recorded.
   */
  metricProblem?(value: Omit<CustomValue, "value">): string | undefined;
  /** Returns a service account; undefined also if it cannot be read. Then its token secret has the default name. */
  serviceAccount(name: string): ServiceAccount | undefined;
}

/** The command of an image, or the reason why it is unavailable. `transient`: it may become available later. */
export type ImageCommandResult =
  | { readonly command: ImageCommand }
  | { readonly problem: string; readonly transient: boolean };

/** A ConfigMap, without `configMap` if it does not exist; or the reason why it cannot be read. */
export type ReadConfigMap = { readonly configMap?: ConfigMap | undefined } | { readonly problem: string };

/** The facts about the pods that delete artifacts of a workflow, by the name of the pod. */
export interface GarbageFacts {
  readonly pods: ReadonlyMap<string, Pod>;
  /** Created pods that have vanished, in their last known state. */
  readonly vanished: ReadonlyMap<string, Pod>;
  /** The reports of completed pods that `readCollector` requested. */
  readonly reports: ReadonlyMap<string, GarbageReport>;
}

/** The report of a pod that deletes artifacts, read from its tasks. */
export interface GarbageReport {
  /** The UID of the pod that had ended when the tasks were read. */
  readonly podUid: string | undefined;
  readonly tasks: readonly GarbageTaskReport[];
}

/** The result of a task. */
export interface GarbageTaskReport {
  readonly name: string;
  readonly uid: string | undefined;
  /** The number of artifacts that the task should delete. */
  readonly artifacts: number;
  readonly results: readonly {
    readonly nodeId: string;
    readonly artifact: string;
    /** Undefined if the artifact was deleted. */
    readonly error: string | undefined;
  }[];
}

/**
 * The API server refused to create an object. After a transient refusal, the request is retried; any other ends the
 * node.
 */
export interface Refusal {
  readonly message: string;
  readonly transient: boolean;
  /** Whether the namespace is being deleted, so that nothing can be created in it. */
  readonly isNamespaceTerminating?: boolean;
  /** Whether the cause is known to be a rule (rights, quota, admission) instead of a failure of the server. */
  readonly isDenied?: boolean;
}

/** The ways in which Kubernetes treats the objects that a deleted object owns. */
export type DeletePropagation = "Background" | "Foreground" | "Orphan";

/** The settings on which decisions depend. A change of them counts as a change of facts. */
export interface EngineConfig {
  readonly executor: ExecutorConfig;
  /**
   * The reason why pods are built in the legacy layout regardless of the settings: the API server was found to drop
   * image volumes.
   */
  readonly legacyLayoutReason?: string;
  readonly workflowDefaults?: Partial<Workflow>;
  /** The workflows whose nodes are stored in a database: those that are too large, or all; absent for none. */
  readonly offload?: "large" | "always";
  /** The compression format of nodes; absent for gzip. */
  readonly compression?: NodeCompression;
  /** The size at which nodes are compressed, and the limit of their compressed size, in bytes; absent for 1 MiB. */
  readonly maxNodesBytes?: number;
  /** Whether events with different annotations are never aggregated. Read once, at the start. */
  readonly separatesEventsByAnnotations?: boolean;
  /** The namespace of the controller. */
  readonly namespace?: string;
  /** The artifact repository of workflows if neither they nor their namespace have one. */
  readonly artifactRepository?: ArtifactRepository;
  /** `Strict`, `Secure`, or an invalid value, with which no workflow runs. Absent without a restriction. */
  readonly templateReferencing?: string;
  /** Fields of a workflow's spec that its author may set despite `templateReferencing`. */
  readonly allowedOverrides?: ReadonlySet<string>;
  /** The key for the seal of a stored spec (`seal.ts`). Without it, no stored spec is trusted after a restart. */
  readonly sealKey?: Uint8Array;
  /** Whether tags in values are substituted by a later pass, as in Argo (`tagsInValues`). */
  readonly tagsInValues?: boolean;
  /**
   * False if `{{=…}}` is not evaluated as an expression, but treated as an unknown name (EXPRESSION_TEMPLATES=false).
   */
  readonly expressionTags?: boolean;
  /**
   * False if an entry template or exit handler that ends in an error counts as a failed node: the workflow has its
   * message, and its exit handler runs (BUBBLE_ENTRY_TEMPLATE_ERR=false).
   */
  readonly bubblesEntryErrors?: boolean;
  /**
   * The deletion propagation for workflows whose TTL has expired (WF_DEL_PROPAGATION_POLICY); `Background` if
   * absent.
   */
  readonly deletePropagation?: DeletePropagation;
  /** The settings of the pods of agents. */
  readonly agent?: AgentSettings;
  /** False if the controller does not create the pods of agents (`disableAgentPodCreation`). */
  readonly createsAgentPods?: boolean;
  /** Whether agents have the plugins from ConfigMaps (`--executor-plugins`). */
  readonly executorPlugins?: boolean;
  /** Whether workflows may have their own executor plugins (ARGO_WORKFLOW_LEVEL_EXECUTOR_PLUGINS). */
  readonly workflowPlugins?: boolean;
  readonly podNameFormat: "v1" | "v2";
  /**
   * Seconds after the end of a node to wait for its missing report while its pod exists (TASK_RESULT_TIMEOUT_DURATION).
   */
  readonly taskResultTimeoutSeconds: number;
  /**
   * Seconds to wait for a missing report after the end of a node whose pod has vanished, or of a pod that succeeded
   * (RECENTLY_DELETED_POD_DURATION).
   */
  readonly recentlyDeletedPodSeconds: number;
  /**
   * Seconds after the start of a node for which its pod may be missing before the node fails
   * (RECENTLY_STARTED_POD_DURATION).
   */
  readonly recentlyStartedPodSeconds: number;
  /** Maximum depth of calls. Deeper ones fail with Argo's "Maximum recursion depth exceeded"; 0 means no limit. */
  readonly maxDepth: number;
  /** Whether deleted claims keep `kubernetes.io/pvc-protection` (ARGO_REMOVE_PVC_PROTECTION_FINALIZER=false). */
  readonly keepsClaimProtection?: boolean;
  /** The configurable limits of a workflow. All others are fixed (`lib/base/limits.ts`). */
  readonly limits: EngineLimits;
  /** The pattern of messages of additional transient errors (TRANSIENT_ERROR_PATTERN). */
  readonly transientPattern?: TextPattern | undefined;
  readonly podGcDeleteDelaySeconds: number;
  /** The grace period of deleted pods, in seconds; undefined for the pod's own. */
  readonly podGcGraceSeconds?: number;
  /**
   * Seconds for which a pod that is being deleted is held until its end is recorded
   * (POD_STATUS_CAPTURE_TIMEOUT_DURATION).
   */
  readonly podStatusHoldSeconds: number;
  /**
   * Maximum number of restarts of a node's pod that failed before main ran (`failedPodRestart`); 0 means never.
   */
  readonly maxPodRestarts: number;
  /**
   * Whether the pod of a node is restarted, without a limit, when its machine was shut down while main ran. For a
   * machine that is a process on the user's computer, which is started again in order to continue.
   */
  readonly restartsPodsAfterShutdown: boolean;
  /** False if artifact garbage collection is disabled (ARGO_ARTIFACT_GC_ENABLED=false). */
  readonly artifactGc?: boolean;
  /** Whether commands of images that are not in the settings are requested from registries. */
  readonly looksUpImages?: boolean;
  /**
   * The selector of workflows that are archived when they are completed (`persistence`): all if it is empty, none if it
   * is absent.
   */
  readonly archived?: LabelSelector | undefined;
  /** Whether the trace of a workflow is sent to a collector. */
  readonly sendsTraces?: boolean;
  /** Whether events are emitted for nodes, in addition to those for the workflow. */
  readonly nodeEvents: boolean;
  /** Whether events for nodes with a pod are attached to the pod (`nodeEvents.sendAsPod`). */
  readonly attachesNodeEventsToPods?: boolean;
  /** False if no events are emitted for the workflow (`workflowEvents`). */
  readonly workflowEvents?: boolean;
  /** The pods that are written to the log (`podSpecLogStrategy`); none if absent. */
  readonly loggedPods?: "failed" | "all" | undefined;
  /** False if durations are not estimated (SKIP_WORKFLOW_DURATION_ESTIMATION). */
  readonly estimatesDurations?: boolean;
  /** Milliseconds between the creation of a workflow and its first pass (`initialDelay`). */
  readonly initialDelayMillis?: number;
}

/**
 * A side effect that a decision requests. Actions are carried out in order, after the status of the decision is
 * durable: a crash in between leaves a node without its pod, which the next pass requests again, but never a pod
 * without its node. Every action is idempotent: names are deterministic, and "already exists" and "not found" count as
 * success.
 */
export type Action =
  | { readonly kind: "createPod"; readonly nodeId: string; readonly pod: Pod; readonly configMap?: ConfigMap }
  | { readonly kind: "deletePod"; readonly podName: string; readonly uid?: string }
  /** With `keepsExecutor`, the executor and its plugins continue: main has ended, and its outputs are being saved. */
  | { readonly kind: "terminateContainers"; readonly podName: string; readonly keepsExecutor?: true }
  /**
   * Reports the exit codes of main containers to the supervisor: an executor in main that did not start cannot do so.
   */
  | { readonly kind: "reportEnds"; readonly podName: string; readonly exitCodes: Readonly<Record<string, number>> }
  /** Deletes a pod whose end is recorded, or labels it as completed. Both remove our finalizer. */
  | {
    readonly kind: "finishPod";
    readonly podName: string;
    readonly remove: boolean;
    readonly delaySeconds: number;
    readonly graceSeconds?: number;
  }
  /** Removes our finalizer from a pod, and changes nothing else. */
  | { readonly kind: "releasePod"; readonly podName: string }
  | { readonly kind: "createClaim"; readonly claim: PersistentVolumeClaim }
  /** `keepProtection`: Kubernetes' own finalizer of the claim is not removed. */
  | { readonly kind: "deleteClaim"; readonly name: string; readonly keepProtection: boolean }
  | { readonly kind: "createBudget"; readonly budget: PodDisruptionBudget }
  | { readonly kind: "deleteBudget"; readonly name: string }
  /** Requests the command of an image from a registry. It is a fact of the next pass. */
  | { readonly kind: "lookUpImage"; readonly unknown: UnknownImage }
  /** Reads a ConfigMap of the workflow's namespace or the controller's. It is a fact of the next pass. */
  | { readonly kind: "readConfigMap"; readonly namespace: string; readonly name: string }
  | { readonly kind: "deleteTaskResults" }
  /** Adds tasks to the workflow's task set, which is created if it does not exist. */
  | {
    readonly kind: "addTasks";
    readonly tasks: Readonly<Record<string, Template>>;
    readonly instanceId?: string | undefined;
  }
  /** Removes tasks and their results from the task set. */
  | { readonly kind: "removeTasks"; readonly nodeIds: readonly string[] }
  /** Labels the task set as completed, which ends the agent. */
  | { readonly kind: "completeTaskSet" }
  | { readonly kind: "createAgent"; readonly pod: Pod }
  /** Increments a counter of the controller. */
  | {
    readonly kind: "count";
    readonly metric: "pod_missing" | "pod_restarts_total";
    readonly labels: Readonly<Record<string, string>>;
  }
  /** Writes a pod to the log. */
  | { readonly kind: "logPod"; readonly nodeId: string; readonly pod: Pod }
  /** Creates the tasks of a pod that deletes artifacts, then the pod, which the tasks own. */
  | { readonly kind: "createCollector"; readonly tasks: readonly WorkflowArtifactGCTask[]; readonly pod: Pod }
  /** Reads the results of the tasks of such a pod. They are a fact of the next pass. */
  | { readonly kind: "readCollector"; readonly podName: string; readonly podUid: string | undefined }
  /** Deletes tasks whose results are recorded, and their pod with them. */
  | {
    readonly kind: "deleteGarbageTasks";
    readonly podName: string;
    readonly tasks: readonly { readonly name: string; readonly uid: string | undefined }[];
  }
  /** Looks up a key in a memoization cache. The result is a fact of the next passes. */
  | { readonly kind: "lookUpMemo"; readonly nodeId: string; readonly cache: string; readonly key: string }
  /** Drops the result of a lookup after it was recorded in the status. */
  | { readonly kind: "dropMemo"; readonly nodeId: string }
  /** Records the time of a cache hit in its entry. */
  | { readonly kind: "refreshMemo"; readonly cache: string; readonly key: string; readonly at: string }
  /** Stores the outputs of a node in a cache. The node has succeeded even if this fails. */
  | {
    readonly kind: "saveMemo";
    readonly cache: string;
    readonly key: string;
    readonly nodeId: string;
    readonly outputs: Outputs | undefined;
    readonly at: string;
  }
  /** Records a value of a metric of the workflow or of a template. */
  | { readonly kind: "metric"; readonly metric: CustomValue }
  /** Deletes the workflow, whose TTL has expired, and the objects that it owns. */
  | { readonly kind: "deleteWorkflow"; readonly propagation: DeletePropagation }
  | {
    readonly kind: "event";
    readonly type: "Normal" | "Warning";
    readonly reason: string;
    readonly message: string;
    readonly annotations?: Readonly<Record<string, string>>;
    /** The pod of the event; absent for events of the workflow itself. */
    readonly pod?: { readonly name: string; readonly uid?: string | undefined };
  };

/** The desired workflow, as a change of the previous one. */
export interface Change {
  /** The workflow with its previous nodes. */
  readonly head: Workflow;
  readonly nodes: NodesSnapshot;
}

/**
 * A decision: the desired workflow, the actions, and the time of the next pass if nothing changes before. It can be
 * read at any time: later passes do not change it.
 */
export interface Decision {
  /** Whether the workflow may differ from the previous one. */
  readonly hasChanges: boolean;
  readonly phase: WorkflowPhase | undefined;
  isNodeChanged(nodeId: string): boolean;
  /** The desired workflow. Its nodes are copied when this is first read, which is slow for a large workflow. */
  readonly workflow: Workflow;
  /** The desired workflow as a change. It is computed when it is first read, in time proportional to the change. */
  readonly change: Change;
  readonly actions: readonly Action[];
  /** The lock requests; absent if the workflow uses no locks. */
  readonly locks?: LockChanges;
  /** Milliseconds since the epoch. */
  readonly requeueAt?: number;
  /** All gauges of the workflow that change with time; absent without gauges, and once the workflow is completed. */
  readonly gauges?: readonly RunningGauge[];
  /** Whether the pass has left work to the next one, which continues from the written status. */
  readonly isPartial: boolean;
  /** Lines for the controller's log, such as the reasons why the workflow waits. */
  readonly logLines: readonly string[];
}
