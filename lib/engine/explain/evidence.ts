/**
 * The evidence for reasons: known facts apart from the workflow. Each fact is optional; nothing is concluded without
 * it.
 */
import type { Pod, ReadResult, WorkflowTaskResult } from "@tiphys/model/api";

/**
 * The known facts about the cluster and the controller: those of the engine, or those that a client reads through the
 * API.
 */
export interface Evidence {
  /** All pods of the workflow, by the ID of their node. */
  readonly pods?: ReadonlyMap<string, Pod> | undefined;
  /** The last warning of Kubernetes about each pod that cannot start, by the name of the pod. */
  readonly podWarnings?: ReadonlyMap<string, PodWarning> | undefined;
  /** Task results of executors, by the ID of their node. */
  readonly taskResults?: ReadonlyMap<string, ReadResult<WorkflowTaskResult>> | undefined;
  /** The API server's refusals to create a pod or a claim, by the ID of the node or the name of the claim. */
  readonly refusals?: ReadonlyMap<string, { readonly message: string; readonly transient: boolean }> | undefined;
  /** Claims that are known to exist or to be deleted, by name. */
  readonly claims?: ReadonlyMap<string, "present" | "gone"> | undefined;
  /** Returns a WorkflowTemplate of the workflow's namespace; undefined if it does not exist. */
  workflowTemplate?(name: string): unknown;
  /** Returns a ClusterWorkflowTemplate; undefined if it does not exist. */
  clusterWorkflowTemplate?(name: string): unknown;
  /** The number of pods that may still be requested; absent without a limit. */
  readonly maxPodRequests?: number | undefined;
  /** False while the limit on running workflows is reached. */
  readonly mayStart?: boolean | undefined;
  /** The workflow's agent, without a pod until one exists. */
  readonly agent?: { readonly pod?: Pod | undefined } | undefined;
  /** The pods that delete artifacts of the workflow. */
  readonly collectors?: readonly Pod[] | undefined;
  /** The positions in queues of locks, by the ID of the waiting node. The ID of the workflow itself is empty. */
  readonly lockPositions?: ReadonlyMap<string, { readonly position: number; readonly length: number }> | undefined;
  /**
   * The messages of deadlocks that block a node whose own message does not mention them, by the ID of the waiting node.
   * The ID of the workflow itself is empty.
   */
  readonly deadlocks?: ReadonlyMap<string, string> | undefined;
  /** The state of the controller, reported by itself or observed by a client. */
  readonly controller?: ControllerFacts | undefined;
}

/** An event about a pod. */
export interface PodWarning {
  /** `FailedMount`, `FailedCreatePodSandBox`, … */
  readonly reason: string;
  readonly message: string;
  /** Its last time (RFC 3339). */
  readonly at?: string | undefined;
}

/** The state of the controller, as far as it concerns a workflow. Times are milliseconds since 1970. */
export interface ControllerFacts {
  /** Its lease: the holder and the time at which it expires. */
  readonly lease?: { readonly holder: string; readonly expiresAt: number } | undefined;
  /** The instance ID of the controller; empty if none is configured. */
  readonly instanceId?: string | undefined;
  /** The reached limit on running workflows, in total or per namespace, and how many workflows wait before this one. */
  readonly limit?: {
    readonly of: "all" | "namespace";
    readonly max: number;
    readonly before: number;
  } | undefined;
  /** The position in the queue of passes, starting at 1. */
  readonly place?: number | undefined;
  /** The end of the pause after a long pass. */
  readonly restsUntil?: number | undefined;
  /** Failures of the API server after which the pass is retried. */
  readonly backoff?: { readonly words: string; readonly times: number; readonly until: number } | undefined;
  /** Passes over the workflow do not finish. */
  readonly quarantine?: { readonly until: number } | undefined;
  /** Another client has written the workflow, and its newer state has not been observed yet. */
  readonly isOutdated?: boolean | undefined;
}

/** The settings that reasons depend on. The configuration of the engine has this shape. */
export interface ExplainConfig {
  /** Seconds for which a task result may still arrive after its pod has ended or vanished. */
  readonly recentlyDeletedPodSeconds?: number;
  /** Seconds for which the pod of a started node may be missing before the node fails. */
  readonly recentlyStartedPodSeconds?: number;
  /** Seconds for which a pod that is being deleted is kept so that its end is recorded. */
  readonly podStatusHoldSeconds?: number;
  /** Seconds without progress after which a workflow counts as stuck: until then, the controller may be busy. */
  readonly graceSeconds?: number;
}
