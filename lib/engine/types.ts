/**
 * The types of a decision: what it reads, and what it answers. Everything here is plain data: `decide()` gets facts and
 * returns a new status with the actions that follow from it, and touches nothing else.
 */
import type {
  ArtifactRepository,
  ClusterWorkflowTemplate,
  ConfigMap,
  Outputs,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Read,
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
import type { NodesAfter } from "./nodes/node_table.ts";
import type { Baseline } from "./whole/baseline.ts";
import type { AgentFacts } from "./agent/facts.ts";
import type { MemoAnswer } from "./memo/cache_map.ts";
import type { RunningGauge } from "./metrics/metric_values.ts";
import type { ChangeLog } from "./nodes/change_log.ts";
import type { LockFacts, LockWishes } from "./locks/lock_facts.ts";

/** The facts about a workflow at one moment, gathered by `observe/`. */
export interface Observed {
  /** Pods of this workflow, by node ID. Pods we created and have not seen in a watch yet are among them. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** IDs of the nodes whose pod or report changed, in order; without it a pass looks at all of them. */
  readonly changes?: ChangeLog;
  /**
   * Keys (`KIND/NAME`) of facts outside of the workflow's nodes that changed, in order: a lock, an entry of a cache. Only the
   * nodes that said that they depend on one are looked at when it does (`due/look.ts`).
   */
  readonly outside?: ChangeLog;
  /** Locks of this workflow; absent before it asks for one. */
  readonly locks?: LockFacts | undefined;
  /** The number of pods that may be asked for in this pass; the others follow when those are made. Absent: no limit. */
  readonly podRoom?: number;
  /** Task results of this workflow, by node ID. */
  readonly taskResults: ReadonlyMap<string, Read<WorkflowTaskResult>>;
  /** Claims of `volumeClaimTemplates` that are known to be there, or known to be gone, by name. */
  readonly claims: ReadonlyMap<string, "present" | "gone">;
  /** Whether the pod disruption budget of the workflow is known to be there, or known to be gone. */
  readonly budget?: "present" | "gone" | undefined;
  /** Outcomes of earlier actions that left no object behind, by node ID, or by the name of a claim or of the budget. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** The durations by which those of this workflow are estimated; absent where no workflow like it has succeeded. */
  readonly baseline?: Baseline | undefined;
  /** False while as many workflows are at work as may be: this one has to wait. */
  readonly mayStart?: boolean;
  /** The facts about the pods that delete the workflow's artifacts; only for one that our finalizer keeps for that. */
  readonly garbage?: GarbageFacts | undefined;
  /** Templates and other objects by name; a problem for one that cannot be read. */
  workflowTemplate(name: string): Read<WorkflowTemplate> | undefined;
  clusterWorkflowTemplate(name: string): Read<ClusterWorkflowTemplate> | undefined;
  configMap(name: string): Read<ConfigMap> | undefined;
  /** The ConfigMap `artifact-repositories` of the workflow's namespace. */
  repositories?(): Read<ConfigMap> | undefined;
  /** Commands of images that were asked for by `lookUpImage`, by `imageKey`. */
  readonly images?: ReadonlyMap<string, FoundImage>;
  /** ConfigMaps that were asked for by `readConfigMap`, by `namespace/name`. */
  readonly readConfigMaps: ReadonlyMap<string, ReadConfigMap>;
  /** The facts about the agent that does the workflow's http and plugin tasks; absent where there is nothing of one. */
  readonly agent?: AgentFacts;
  /** The results of look-ups in caches (`lookUpMemo`), by node ID; in `outside` each is `memo/ID`. */
  readonly memos?: ReadonlyMap<string, MemoAnswer>;
  /**
   * The reason why a value cannot be recorded with its name and labels; undefined when none is known. Absent: no value has a
   * problem.
   */
  metricProblem?(value: Omit<CustomValue, "value">): string | undefined;
  /** The service account of a name; undefined also for one that cannot be read: its token has the usual name then. */
  serviceAccount(name: string): ServiceAccount | undefined;
}

/** The command of an image, or why it cannot be had; `transient`: now. */
export type FoundImage =
  | { readonly command: ImageCommand }
  | { readonly problem: string; readonly transient: boolean };

/** A ConfigMap as it was found; none where it was not there; or why it cannot be had. */
export type ReadConfigMap = { readonly configMap?: ConfigMap | undefined } | { readonly problem: string };

/** The facts about the pods that delete artifacts of a workflow, each by the name of the pod. */
export interface GarbageFacts {
  readonly pods: ReadonlyMap<string, Pod>;
  /** Pods that were made and are gone, as they were. */
  readonly vanished: ReadonlyMap<string, Pod>;
  /** The reports of pods that have ended, once they were asked for (`readCollector`). */
  readonly reports: ReadonlyMap<string, GarbageReport>;
}

/** The report of a pod that deletes artifacts: what its tasks say. */
export interface GarbageReport {
  /** The pod that had ended when the tasks were read. */
  readonly podUid: string | undefined;
  readonly tasks: readonly GarbageTaskReport[];
}

/** The outcome of one task. */
export interface GarbageTaskReport {
  readonly name: string;
  readonly uid: string | undefined;
  /** The number of artifacts that it was to delete. */
  readonly artifacts: number;
  readonly results: readonly {
    readonly nodeId: string;
    readonly artifact: string;
    /** Undefined where the artifact is gone. */
    readonly error: string | undefined;
  }[];
}

/** The API server would not create what we asked for. A transient refusal is tried again, another ends the node. */
export interface Refusal {
  readonly message: string;
  readonly transient: boolean;
  /** Whether the namespace is being deleted: nothing can be made in it any more. */
  readonly isNamespaceGoing?: boolean;
  /** Whether a rule refused the object (rights, quota, admission), and not trouble of the server, as far as it is known. */
  readonly isByRule?: boolean;
}

/** The ways in which Kubernetes treats the objects that a deleted object owns. */
export type DeletePropagation = "Background" | "Foreground" | "Orphan";

/** The settings that decisions depend on; a change of them is a change of facts. */
export interface EngineConfig {
  readonly executor: ExecutorConfig;
  /**
   * The reason why pods are built in the legacy layout whatever else is configured: the API server proved to keep no
   * image volumes.
   */
  readonly legacyBecause?: string;
  readonly workflowDefaults?: Partial<Workflow>;
  /** The nodes that go to a database: those that a workflow has no room for, or all; absent where none do. */
  readonly offload?: "large" | "always";
  /** The form of nodes that are compressed; absent for gzip. */
  readonly compression?: NodeCompression;
  /** The size from which nodes are compressed, and beyond which a workflow has no room for them even so; absent for 1 MiB. */
  readonly storedBytes?: number;
  /** Whether events with other annotations are never told as one; read once, at the start. */
  readonly eventsByAnnotations?: boolean;
  /** The namespace of the controller itself. */
  readonly namespace?: string;
  /** The repository of artifacts where neither a workflow nor its namespace names one. */
  readonly artifactRepository?: ArtifactRepository;
  /** `Strict`, `Secure`, or a word that nobody knows: then no workflow runs. Absent: no restriction. */
  readonly templateReferencing?: string;
  /** Fields of a workflow's spec that its author may set although `templateReferencing` refuses them. */
  readonly openedOverrides?: ReadonlySet<string>;
  /** The key for the seal of a stored spec (`seal.ts`); without it no stored spec is believed after a restart. */
  readonly sealKey?: Uint8Array;
  /** Whether a value that spells a tag is filled in by a later pass, as in Argo (`tagsInValues`). */
  readonly tagsInValues?: boolean;
  /** False where `{{=…}}` is no expression, but a name that nothing has (EXPRESSION_TEMPLATES=false). */
  readonly expressionTags?: boolean;
  /**
   * False where an entry template or exit handler that ends in an error is a failed node like others: the workflow has its
   * message, and its exit handler runs (BUBBLE_ENTRY_TEMPLATE_ERR=false).
   */
  readonly bubblesEntryErrors?: boolean;
  /**
   * The treatment of the objects that a workflow owns when it is deleted because its time to live is over
   * (WF_DEL_PROPAGATION_POLICY); `Background` when absent.
   */
  readonly deletePropagation?: DeletePropagation;
  /** The settings of the pods of agents. */
  readonly agent?: AgentSettings;
  /** False where somebody else makes the pods of agents (`disableAgentPodCreation`). */
  readonly makesAgents?: boolean;
  /** Whether agents have the plugins that ConfigMaps name (`--executor-plugins`). */
  readonly executorPlugins?: boolean;
  /** Whether workflows may bring their own executor plugins (ARGO_WORKFLOW_LEVEL_EXECUTOR_PLUGINS). */
  readonly workflowPlugins?: boolean;
  readonly podNameFormat: "v1" | "v2";
  /**
   * The seconds after the end of a node for which its missing report is waited for while its pod is still there
   * (TASK_RESULT_TIMEOUT_DURATION).
   */
  readonly taskResultTimeoutSeconds: number;
  /**
   * The seconds after the end of a node whose pod is gone, or of a pod that ended well, for which a missing report may
   * still come (RECENTLY_DELETED_POD_DURATION).
   */
  readonly recentlyDeletedPodSeconds: number;
  /**
   * The seconds after the start of a node for which its pod may be missing before the node fails
   * (RECENTLY_STARTED_POD_DURATION).
   */
  readonly recentlyStartedPodSeconds: number;
  /** Calls deeper than this end with Argo's "Maximum recursion depth exceeded"; 0 for no limit. */
  readonly maxDepth: number;
  /** Whether `kubernetes.io/pvc-protection` stays on claims that are deleted (ARGO_REMOVE_PVC_PROTECTION_FINALIZER=false). */
  readonly keepClaimProtection?: boolean;
  /** The limits of one workflow that can be set; the others are fixed (`lib/base/limits.ts`). */
  readonly limits: EngineLimits;
  /**
   * The pattern of messages of errors that pass by themselves, besides those that are known (TRANSIENT_ERROR_PATTERN).
   */
  readonly transientPattern?: TextPattern | undefined;
  readonly podGcDeleteDelaySeconds: number;
  /** The grace period of pods that are deleted; undefined for the pod's own. */
  readonly podGcGraceSeconds?: number;
  /**
   * The seconds for which a pod that is being deleted is kept for its end to be recorded
   * (POD_STATUS_CAPTURE_TIMEOUT_DURATION).
   */
  readonly podStatusHoldSeconds: number;
  /**
   * The number of times that the pod of a node is made anew when it failed before main ran (`failedPodRestart`); 0 for
   * never.
   */
  readonly maxPodRestarts: number;
  /**
   * Whether the pod of a node is also made anew, as often as it takes, when its machine stopped while main ran: right for a
   * machine that is a process of somebody's computer, where a start after the stop is a wish to go on.
   */
  readonly remakeAfterShutdown: boolean;
  /** False where no artifacts are deleted from their stores (ARGO_ARTIFACT_GC_ENABLED=false). */
  readonly artifactGc?: boolean;
  /** Whether commands of images that the settings do not have are asked for in registries. */
  readonly looksUpImages?: boolean;
  /**
   * The selector of the workflows that are archived when they are over (`persistence`): all for an empty selector, none
   * when absent.
   */
  readonly archived?: LabelSelector | undefined;
  /** Whether the trace of a workflow is sent to a collector. */
  readonly traces?: boolean;
  /** Whether nodes are announced as events, beside the workflow. */
  readonly nodeEvents: boolean;
  /** Whether events about nodes that have a pod are events of the pod (`nodeEvents.sendAsPod`). */
  readonly nodeEventsOfPods?: boolean;
  /** False where the workflow itself is not announced (`workflowEvents`). */
  readonly workflowEvents?: boolean;
  /** The pods that are written to the log (`podSpecLogStrategy`); none when absent. */
  readonly loggedPods?: "failed" | "all" | undefined;
  /** False where no durations are estimated (SKIP_WORKFLOW_DURATION_ESTIMATION). */
  readonly estimatesDurations?: boolean;
  /** The milliseconds for which a new workflow is left alone after it was made (`initialDelay`). */
  readonly initialDelayMillis?: number;
}

/**
 * An action in the world. Their order matters: the status that a decision returns is durable before any of its actions
 * is sent, so a crash between the two leaves a node without its pod (the next pass asks again), never a pod without its
 * node. Every action may be repeated: names are deterministic, and "already exists" and "not found" are success.
 */
export type Action =
  | { readonly kind: "createPod"; readonly nodeId: string; readonly pod: Pod; readonly configMap?: ConfigMap }
  | { readonly kind: "deletePod"; readonly podName: string; readonly uid?: string }
  | { readonly kind: "terminateContainers"; readonly podName: string }
  /** Tells the executor beside main how containers of main ended: one whose executor never lived cannot say so itself. */
  | { readonly kind: "tellEnds"; readonly podName: string; readonly exitCodes: Readonly<Record<string, number>> }
  /** Deletes a pod whose end is recorded, or labels it as completed; both take our finalizer off. */
  | {
    readonly kind: "finishPod";
    readonly podName: string;
    readonly remove: boolean;
    readonly delaySeconds: number;
    readonly graceSeconds?: number;
  }
  /** Takes our finalizer off a pod, and nothing else. */
  | { readonly kind: "releasePod"; readonly podName: string }
  | { readonly kind: "createClaim"; readonly claim: PersistentVolumeClaim }
  /** `keepProtection`: Kubernetes' own finalizer of the claim is not taken off. */
  | { readonly kind: "deleteClaim"; readonly name: string; readonly keepProtection: boolean }
  | { readonly kind: "createBudget"; readonly budget: PodDisruptionBudget }
  | { readonly kind: "deleteBudget"; readonly name: string }
  /** Asks a registry for the command of an image; it is a fact of the next pass. */
  | { readonly kind: "lookUpImage"; readonly unknown: UnknownImage }
  /** Reads a ConfigMap of the workflow's namespace or the controller's; it is a fact of the next pass. */
  | { readonly kind: "readConfigMap"; readonly namespace: string; readonly name: string }
  | { readonly kind: "deleteTaskResults" }
  /** Adds tasks to the workflow's task set, which is made where there is none. */
  | {
    readonly kind: "addTasks";
    readonly tasks: Readonly<Record<string, Template>>;
    readonly instanceId?: string | undefined;
  }
  /** Takes tasks and what was said of them out of it. */
  | { readonly kind: "removeTasks"; readonly nodeIds: readonly string[] }
  /** Labels it as completed, which ends the agent. */
  | { readonly kind: "completeTaskSet" }
  | { readonly kind: "createAgent"; readonly pod: Pod }
  /** Something that the controller counts happened. */
  | {
    readonly kind: "count";
    readonly metric: "pod_missing" | "pod_restarts_total";
    readonly labels: Readonly<Record<string, string>>;
  }
  /** The pod is written to the log. */
  | { readonly kind: "logPod"; readonly nodeId: string; readonly pod: Pod }
  /** Makes the tasks of a pod that deletes artifacts, then the pod, which they own. */
  | { readonly kind: "makeCollector"; readonly tasks: readonly WorkflowArtifactGCTask[]; readonly pod: Pod }
  /** Reads what the tasks of such a pod say; it is a fact of the next pass. */
  | {
    readonly kind: "readCollector";
    readonly podName: string;
    readonly podUid: string | undefined;
    readonly round: string;
  }
  /** Deletes tasks of which nothing is left to be known, and with them their pod. */
  | {
    readonly kind: "deleteGarbageTasks";
    readonly podName: string;
    readonly tasks: readonly { readonly name: string; readonly uid: string | undefined }[];
  }
  /** Looks a key up in a cache of memoization; what comes of it is a fact of the next passes. */
  | { readonly kind: "lookUpMemo"; readonly nodeId: string; readonly cache: string; readonly key: string }
  /** Drops the result of a look-up, which is in the status now and need not be kept. */
  | { readonly kind: "takeMemo"; readonly nodeId: string }
  /** An entry of a cache was hit at this moment. */
  | { readonly kind: "refreshMemo"; readonly cache: string; readonly key: string; readonly at: string }
  /** The outputs of a node are remembered. It succeeded, whatever comes of this. */
  | {
    readonly kind: "saveMemo";
    readonly cache: string;
    readonly key: string;
    readonly nodeId: string;
    readonly outputs: Outputs | undefined;
    readonly at: string;
  }
  /** A value of a metric that the workflow, or one of its templates, emits. */
  | { readonly kind: "metric"; readonly metric: CustomValue }
  /** The workflow's time is over; what it owns goes with it. */
  | { readonly kind: "deleteWorkflow"; readonly propagation: DeletePropagation }
  | {
    readonly kind: "event";
    readonly type: "Normal" | "Warning";
    readonly reason: string;
    readonly message: string;
    readonly annotations?: Readonly<Record<string, string>>;
    /** The pod that the event is about; the workflow itself where it is absent. */
    readonly pod?: { readonly name: string; readonly uid?: string | undefined };
  };

/** A workflow as it should be, as the change of another one. */
export interface Change {
  /** The workflow, with the nodes that it had before. */
  readonly head: Workflow;
  readonly nodes: NodesAfter;
}

/**
 * The answer: the workflow as it should be, what to do, and when to look again if nothing changes before. It can be read at
 * any time, and says the same whatever is decided after it.
 */
export interface Decision {
  /** Whether the workflow may differ from what it was. */
  readonly isChange: boolean;
  readonly phase: WorkflowPhase | undefined;
  isTouched(nodeId: string): boolean;
  /** The workflow as it should be. Its nodes are put together when this is first read: of a large workflow that takes a while. */
  readonly workflow: Workflow;
  /** The same as a change: it is made when it is first read, and takes as long as there is to change. */
  readonly change: Change;
  readonly actions: readonly Action[];
  /** The wishes about locks; absent where the workflow has nothing to do with any. */
  readonly locks?: LockWishes;
  /** Milliseconds since 1970. */
  readonly requeueAt?: number;
  /** All gauges of the workflow that move with the clock; absent where it has none, and once it is over. */
  readonly gauges?: readonly RunningGauge[];
  /** The pass has left something to the next one, which goes on from what this one has written. */
  readonly isPart: boolean;
  /** Lines for the log of the controller; a workflow that waits for something says here for what. */
  readonly notes: readonly string[];
}
