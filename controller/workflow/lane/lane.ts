/**
 * The slow lane: passes that would hold all others up are made in another thread. Here is what is asked of it, and what it
 * answers, which is plain data.
 *
 * - `pace.ts`, `work_clock.ts`: in which lane a workflow is worked, and the clock that says so
 * - `lane_work.ts`: the work itself, the same wherever it is done
 * - `lane_thread.ts`, `thread.ts`, `protocol.ts`: done in a thread: the two ends, and what they say to each other
 * - `lane_here.ts`: done in this thread, where there is no other
 */
import type { Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { Decision, EngineConfig, Observed } from "@tiphys/engine";
import type { NamedFact } from "../observe/observe.ts";
import type { Receipt, Stamp } from "../record/record.ts";

/** A pass that the lane is to make. */
export interface LaneTask {
  /** `namespace/name`. */
  readonly key: string;
  /** The workflow as it is in the cluster; absent when the lane is to go on from what was written last. */
  readonly read?: object | undefined;
  readonly observed: Observed;
  /** Looks up the object behind a fact, as the cluster keeps it. */
  readonly raw: (what: NamedFact, name: string) => KubeObject | undefined;
  readonly at: Date;
  readonly config: EngineConfig;
}

/** A decision without the status that belongs to it: that stays in the lane. */
export interface LaneDecision
  extends Pick<Decision, "isChange" | "phase" | "actions" | "gauges" | "locks" | "requeueAt" | "isPart" | "notes"> {
  /** The IDs of the nodes that may differ from what they were, of those that actions name. */
  readonly touched: ReadonlySet<string>;
  /** The workflow that was decided on, without what may be large. */
  readonly before: Workflow;
  /** The duration of the decision and of the reading of the workflow before it, in milliseconds. */
  readonly millis: number;
  /** Bytes of its nodes, as JSON. */
  readonly bytes: number;
}

/** Passes made where they hold nobody up. One pass of a key is asked for at a time. */
export interface SlowLane {
  /** Whether the lane has what it needs to go on from what was written last. */
  holds(key: string): boolean;
  /**
   * Makes a pass.
   * @throws {PassFailedError} when none comes to its end; or what `decide` and what is asked before it throw.
   * @throws {LaneLostError} when what the lane held of the workflow is gone: to be asked again.
   */
  decide(task: LaneTask): Promise<LaneDecision>;
  /** The change of the last decision about a key, as it is to be written; `after` is without what may be large. */
  pack(key: string, stamp: Stamp): Promise<LanePacked | undefined>;
  /** The last decision of a key was written. */
  written(key: string, receipt: Receipt): void;
  /** Forgets a key: nothing more is asked about it, or all of it anew. */
  forget(key: string): void;
  close(): Promise<void>;
}

/** The error that tells that what the lane held of a workflow is gone, for no fault of the workflow. */
export class LaneLostError extends Error {
  override readonly name = "LaneLostError";
}

/** A change as it is written; `after` is the workflow after it, without what may be large. */
export interface LanePacked {
  readonly patch: Record<string, unknown>;
  readonly after: Workflow;
}

/** A workflow without what may be large: enough to say which it is, and how it stands. */
export function headOf({ apiVersion, kind, metadata, spec, status }: Workflow): Workflow {
  const { annotations: _, managedFields: __, ...small } = metadata;
  const { phase, message, startedAt, finishedAt } = status ?? {};
  const ofTemplate = spec.workflowTemplateRef ? { workflowTemplateRef: spec.workflowTemplateRef } : {};
  return { apiVersion, kind, metadata: small, spec: ofTemplate, status: { phase, message, startedAt, finishedAt } };
}
