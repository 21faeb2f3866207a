/** Everything that actions need: client, ledger, log, events. */
import type { WorkflowMetrics } from "./workflow_metrics.ts";
import type { Pod, Workflow } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import type { Clock } from "../../loop/clock.ts";
import type { Log } from "@tiphys/base/log";
import type { ReportWork } from "@tiphys/base/metrics";
import type { Backoff } from "../../loop/backoff.ts";
import type { ImageLookup } from "./image_lookup.ts";
import type { PodRate } from "./pod_rate.ts";
import type { DelayedActions } from "../../loop/delayed_actions.ts";
import type { Ledger } from "../observe/ledger.ts";
import type { ReportedStages } from "../observe/reported_stages.ts";
import type { PendingActions } from "../../loop/pending_actions.ts";
import type { EventRecorder } from "../../loop/event_recorder.ts";
import type { MemoStore } from "./memo_store.ts";
import type { TaskResultDeletion } from "./task_result_deletion.ts";
import type { Terminator } from "./terminator.ts";

/** The parts of the controller that actions use, shared by all of them. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly ledger: Ledger;
  readonly terminator: Terminator;
  readonly pending: PendingActions;
  /** Actions that run after a delay. */
  readonly delayed: DelayedActions;
  /** Commands of images. */
  readonly images: ImageLookup;
  /** The limit on the rate at which pods are created. */
  readonly podRate: PodRate;
  /** The back-off before a failed action is retried. */
  readonly backoff: Backoff;
  readonly events: EventRecorder;
  readonly taskResults: TaskResultDeletion;
  readonly memos: MemoStore;
  readonly log: Log;
  readonly metrics: WorkflowMetrics;
  /** Called for each workflow that has finished, with all its nodes. */
  readonly onEnded?: ((workflow: Workflow) => void) | undefined;
  /** Called for passes, writes and creations; undefined if traces are disabled. */
  readonly onWork?: ReportWork | undefined;
  /** The stages of reports; undefined like `onWork`. */
  readonly stages?: ReportedStages | undefined;
  readonly clock: Clock;
  /** Aborted when the controller ends: anything that the next controller can do is no longer awaited. */
  readonly signal: AbortSignal;
  /** The newest known state of a pod, by `namespace/name`. */
  newestPod(key: string): Pod | undefined;
  /** Called when the API server does not store image volumes: pods are built without them from now on. */
  onImageVolumesFailed(reason: string): void;
  /** Requests a pass over a workflow (`namespace/name`) after some milliseconds. */
  requeue(key: string, millis: number): void;
}
