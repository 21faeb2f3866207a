/** The evidence for reasons: whatever is known beside the workflow. Each part may be absent, then nothing is concluded from it. */
import type { Pod, Read, WorkflowTaskResult } from "@tiphys/model/api";

/**
 * The known facts of the world around a workflow: those of the engine, or those that a client reads through the API.
 */
export interface Evidence {
  /** The pods of the workflow by the ID of their node: all of them, where it is given. */
  readonly pods?: ReadonlyMap<string, Pod> | undefined;
  /** Reports of the executors by the ID of their node. */
  readonly taskResults?: ReadonlyMap<string, Read<WorkflowTaskResult>> | undefined;
  /** The API server's refusals to make a pod or a claim, by the ID of the node, or the name of the claim. */
  readonly refusals?: ReadonlyMap<string, { readonly message: string; readonly transient: boolean }> | undefined;
  /** Claims that are known to be there, or gone, by name. */
  readonly claims?: ReadonlyMap<string, "present" | "gone"> | undefined;
  /** The templates of whole workflows in the workflow's namespace; undefined for one that is not there. */
  workflowTemplate?(name: string): unknown;
  /** The same for the whole cluster. */
  clusterWorkflowTemplate?(name: string): unknown;
  /** The number of pods that may still be asked for; absent where there is room for all. */
  readonly podRoom?: number | undefined;
  /** False while as many workflows are at work as may be. */
  readonly mayStart?: boolean | undefined;
  /** The workflow's agent: no pod where there is none yet. */
  readonly agent?: { readonly pod?: Pod | undefined } | undefined;
  /** The places in the queues of locks, by the ID of the node that waits; that of the workflow itself has an empty ID. */
  readonly lockPlaces?: ReadonlyMap<string, { readonly place: number; readonly of: number }> | undefined;
  /**
   * The deadlocks behind which something waits for a lock that does not say so itself, in words, by the ID of the node that
   * waits; that of the workflow itself has an empty ID.
   */
  readonly deadlocks?: ReadonlyMap<string, string> | undefined;
  /** The state of the controller, as it says itself, or as it is seen from outside. */
  readonly controller?: ControllerFacts | undefined;
}

/** The state of the controller, as far as it concerns a workflow. Times are milliseconds since 1970. */
export interface ControllerFacts {
  /** Its lease: who holds it, and until when it counts. */
  readonly lease?: { readonly holder: string; readonly expiresAt: number } | undefined;
  /** The instance ID that it answers for; empty where it has none. */
  readonly instanceId?: string | undefined;
  /** The limit on workflows at work that this one waits at, in all or in its namespace, and how many wait before it. */
  readonly limit?: {
    readonly of: "all" | "namespace";
    readonly most: number;
    readonly before: number;
  } | undefined;
  /** The place in the queue of passes, from 1. */
  readonly place?: number | undefined;
  /** The end of the rest after a long pass. */
  readonly restsUntil?: number | undefined;
  /** Trouble of the world, after which a pass is tried again. */
  readonly backoff?: { readonly words: string; readonly times: number; readonly until: number } | undefined;
  /** No pass over the workflow comes to its end. */
  readonly quarantine?: { readonly until: number } | undefined;
  /** The workflow was written by somebody, and the newer state is not seen yet. */
  readonly isOutdated?: boolean | undefined;
}

/** The settings that reasons depend on; those of the engine are such. */
export interface ExplainConfig {
  /** The time after its pod vanished, or ended, in which a report may still come, seconds. */
  readonly recentlyDeletedPodSeconds?: number;
  /** The time for which a started pod may be missing before its node fails, seconds. */
  readonly recentlyStartedPodSeconds?: number;
  /** The time for which a pod that is being deleted is kept for its end to be recorded, seconds. */
  readonly podStatusHoldSeconds?: number;
  /**
   * The time after an event in which a workflow may rest before it counts as stuck, seconds: the controller may be
   * busy.
   */
  readonly graceSeconds?: number;
}
