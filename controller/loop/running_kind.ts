/** Kinds that run: what the controller starts each with, and what it asks of it. */
import type { KubeClient, ReadingInformer } from "@tiphys/kube";
import type { ClusterWorkflowTemplate, Read, Workflow, WorkflowTemplate } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import type { Log } from "@tiphys/base/log";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "./clock.ts";
import type { PassGuard } from "./pass_guard.ts";

/** Local copies that several kinds read. `Workflow` starts them, when every kind has said that it listens. */
export interface SharedCopies {
  /** All workflows, the children of other kinds among them. */
  readonly workflows: ReadingInformer<Read<Workflow>>;
  readonly workflowTemplates: ReadingInformer<Read<WorkflowTemplate>>;
  /** Empty as long as we may not read them. */
  readonly clusterWorkflowTemplates: ReadingInformer<Read<ClusterWorkflowTemplate>>;
}

/** The client, the copies, the restrictions and the recorders that every kind is started with. */
export interface StartOptions {
  readonly client: KubeClient;
  /** Only this namespace; all of them when absent. */
  readonly namespace?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly log: Log;
  readonly metrics: MetricRegistry;
  readonly clock: Clock;
  /** Whether nothing may be worked now; asked for each pass. When that ends, `settingsChanged()` is to be called. */
  readonly isHeld?: (() => boolean) | undefined;
  /** Refuses passes over objects that ended the process repeatedly; absent if no state survives the process. */
  readonly guard?: PassGuard | undefined;
  readonly copies: SharedCopies;
  /** Aborted when the controller ends. */
  readonly signal: AbortSignal;
}

/** A kind that was put together: it listens to the copies, and works when it is started. */
export interface RunningKind {
  /** The name of its objects in the log. */
  readonly name: string;
  /** The number of its objects. */
  readonly count: number;
  /** Passes that wait for a place. */
  readonly depth: number;
  /** The time for which passes have waited while none came to its end, in milliseconds. */
  readonly stalledMillis: number;
  /** Begins to work; resolves when all objects were seen once. */
  start(): Promise<void>;
  /** The settings have changed: what waits for them is looked at again. */
  settingsChanged(): void;
  /** Takes no more work and resolves when what was begun is done. */
  close(): Promise<void>;
  /** The reasons for which the object of a key (`namespace/name`) waits; undefined where there is none such. */
  why?(key: string): Promise<Reason[] | undefined>;
  /** Resolves when the last pods of what is over were let go, or the signal is aborted. */
  lastPodsLetGo?(until: AbortSignal): Promise<void>;
  /** Resolves when nothing goes on any more, once `signal` was aborted. */
  idle?(): Promise<void>;
}
