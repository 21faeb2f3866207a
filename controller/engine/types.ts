/**
 * What a decision reads and what it answers. Everything here is plain data: `decide()` gets facts and returns a new
 * status with the actions that follow from it, and touches nothing else.
 */
import type {
  ClusterWorkflowTemplate,
  ConfigMap,
  PersistentVolumeClaim,
  Pod,
  ServiceAccount,
  Workflow,
  WorkflowPhase,
  WorkflowTaskResult,
  WorkflowTemplate,
} from "../../lib/api/mod.ts";
import type { ExecutorConfig } from "../../lib/pod/mod.ts";
import type { ChangeLog } from "./change_log.ts";

/** The facts about a workflow at one moment, gathered by `observe/`. */
export interface Observed {
  /** Pods of this workflow, by node ID. Pods we created and have not seen in a watch yet are among them. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** IDs of the nodes whose pod or report changed, in order; without it a pass looks at all of them. */
  readonly changes?: ChangeLog;
  /** How many pods may be asked for in this pass; the others follow when those are made. Without it, all. */
  readonly podRoom?: number;
  /** Task results of this workflow, by node ID. */
  readonly taskResults: ReadonlyMap<string, WorkflowTaskResult>;
  /** Claims of `volumeClaimTemplates` that are known to be there, or known to be gone, by name. */
  readonly claims: ReadonlyMap<string, "present" | "gone">;
  /** Outcomes of earlier actions that left no object behind, by node ID or by the name of a claim. */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** False while as many workflows are at work as may be: this one has to wait. */
  readonly mayStart?: boolean;
  workflowTemplate(name: string): WorkflowTemplate | undefined;
  clusterWorkflowTemplate(name: string): ClusterWorkflowTemplate | undefined;
  configMap(name: string): ConfigMap | undefined;
  serviceAccount(name: string): ServiceAccount | undefined;
}

/** The API server would not create what we asked for. A transient refusal is tried again, another ends the node. */
export interface Refusal {
  readonly message: string;
  readonly transient: boolean;
}

/** The settings that decisions depend on; a change of them is a change of facts. */
export interface EngineConfig {
  readonly executor: ExecutorConfig;
  /** Why pods are built in the legacy layout whatever else is configured: the API server proved to keep no image volumes. */
  readonly legacyBecause?: string;
  readonly workflowDefaults?: Partial<Workflow>;
  readonly templateReferencing?: "Strict" | "Secure";
  readonly podNameFormat: "v1" | "v2";
  /** How long a finished pod's missing report is waited for (TASK_RESULT_TIMEOUT_DURATION), seconds. */
  readonly taskResultTimeoutSeconds: number;
  /** How long after its pod vanished a report may still come (RECENTLY_DELETED_POD_DURATION), seconds. */
  readonly recentlyDeletedPodSeconds: number;
  /** How long a started pod may be missing before its node fails (RECENTLY_STARTED_POD_DURATION), seconds. */
  readonly recentlyStartedPodSeconds: number;
  /** Calls deeper than this end with Argo's "Maximum recursion depth exceeded"; 0 for no limit. */
  readonly maxDepth: number;
  readonly podGcDeleteDelaySeconds: number;
  /** The grace period of pods that are deleted; undefined for the pod's own. */
  readonly podGcGraceSeconds?: number;
  /** How long a pod that is being deleted is kept for its end to be recorded (POD_STATUS_CAPTURE_TIMEOUT_DURATION), seconds. */
  readonly podStatusHoldSeconds: number;
  /** How often the pod of a node is made anew when it failed before main ran (`failedPodRestart`); 0 for never. */
  readonly maxPodRestarts: number;
  /**
   * Whether the pod of a node is also made anew, as often as it takes, when its machine stopped while main ran: right for a
   * machine that is a process of somebody's computer, where a start after the stop is a wish to go on.
   */
  readonly remakeAfterShutdown: boolean;
  /** Whether nodes are announced as events, beside the workflow. */
  readonly nodeEvents: boolean;
}

/**
 * What to do in the world. Order that matters: the status that a decision returns is durable before any of its actions
 * is sent, so a crash between the two leaves a node without its pod (the next pass asks again), never a pod without its
 * node. Every action may be repeated: names are deterministic, "already exists" and "not found" are success.
 */
export type Action =
  | { readonly kind: "createPod"; readonly nodeId: string; readonly pod: Pod; readonly configMap?: ConfigMap }
  | { readonly kind: "deletePod"; readonly podName: string; readonly uid?: string }
  | { readonly kind: "terminateContainers"; readonly podName: string }
  /** What becomes of a pod whose end is recorded: it is deleted, or labelled as completed; both take our finalizer off. */
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
  | { readonly kind: "deleteClaim"; readonly name: string }
  | { readonly kind: "deleteTaskResults" }
  /** The workflow's time is over; what it owns goes with it. */
  | { readonly kind: "deleteWorkflow" }
  | {
    readonly kind: "event";
    readonly type: "Normal" | "Warning";
    readonly reason: string;
    readonly message: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };

/** The answer: the workflow as it should be, what to do, and when to look again if nothing changes before. */
export interface Decision {
  /** Whether the workflow may differ from what it was. */
  readonly isChange: boolean;
  readonly phase: WorkflowPhase | undefined;
  isTouched(nodeId: string): boolean;
  /**
   * The workflow as it should be. This and `touched` are made when one of them is first asked for, which must be before
   * another decision is made with the same memory.
   */
  readonly workflow: Workflow;
  /** The IDs of the nodes that may differ from what they were; all others are the same. */
  readonly touched: ReadonlySet<string>;
  readonly actions: readonly Action[];
  /** Milliseconds since 1970. */
  readonly requeueAt?: number;
  /** Lines for the log of the controller; a workflow that waits for something says here for what. */
  readonly notes: readonly string[];
}
