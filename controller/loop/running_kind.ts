/** The interface between the controller and the kinds of objects that it runs. */
import type { KubeClient } from "@tiphys/kube";
import type { ReadingInformer } from "@tiphys/kube/informers";
import type { ClusterWorkflowTemplate, ReadResult, Workflow, WorkflowTemplate } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import type { Log } from "@tiphys/base/log";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "./clock.ts";
import type { PassGuard } from "./pass_guard.ts";

/**
 * Local copies that several kinds read. The kind `Workflow` starts them after every kind has registered its listeners.
 */
export interface SharedCopies {
  /** All workflows, including the children of other kinds. */
  readonly workflows: ReadingInformer<ReadResult<Workflow>>;
  readonly workflowTemplates: ReadingInformer<ReadResult<WorkflowTemplate>>;
  /** Empty as long as reading them is forbidden. */
  readonly clusterWorkflowTemplates: ReadingInformer<ReadResult<ClusterWorkflowTemplate>>;
}

/** The client, copies, restrictions and recorders that every kind receives. */
export interface StartOptions {
  readonly client: KubeClient;
  /** The namespace to process; all of them if absent. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  readonly metrics: MetricRegistry;
  readonly clock: Clock;
  /** Whether processing is paused. Checked before each pass; call `settingsChanged()` when it ends. */
  readonly isPaused?: (() => boolean) | undefined;
  /** Refuses passes over objects that ended the process repeatedly; absent if no state survives the process. */
  readonly guard?: PassGuard | undefined;
  readonly copies: SharedCopies;
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal;
}

/** A kind that is ready to start: its listeners are registered. */
export interface RunningKind {
  /** The name of its objects in the log. */
  readonly name: string;
  /** The number of its objects. */
  readonly count: number;
  /** The number of queued passes. */
  readonly depth: number;
  /** The time for which passes have been queued while none ended, in milliseconds. */
  readonly stalledMillis: number;
  /** Starts processing; resolves when all objects have been seen once. */
  start(): Promise<void>;
  /** Called when the settings have changed: enqueues the objects that depend on them. */
  settingsChanged(): void;
  /** Accepts no more work, and resolves when running passes have ended. */
  close(): Promise<void>;
  /** The reasons why the object with a key (`namespace/name`) waits; undefined if it does not exist. */
  why?(key: string): Promise<Reason[] | undefined>;
  /**
   * Resolves when the finalizers of the last pods of finished workflows have been removed, or the signal is aborted.
   */
  awaitLastPods?(until: AbortSignal): Promise<void>;
  /** Resolves when all work has ended, after `signal` was aborted. */
  idle?(): Promise<void>;
}
