/**
 * The slow lane: passes that would delay all others run in another thread. Here are its requests and responses,
 * which are plain data.
 *
 * - `pace.ts`, `work_clock.ts`: the choice of the lane, and its clock
 * - `lane_work.ts`: the work itself, in either thread
 * - `lane_thread.ts`, `thread.ts`, `protocol.ts`: the two ends of the thread and their messages
 * - `lane_here.ts`: the lane in this thread, if no other can be started
 */
import type { Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import type { Decision, EngineConfig, ObservedState } from "@tiphys/engine";
import type { NamedFact } from "../observe/observe.ts";
import type { EpochStamp, Receipt } from "../record/record.ts";

/** A request for a pass. */
export interface LaneTask {
  /** `namespace/name`. */
  readonly key: string;
  /** The workflow in the cluster; undefined if the lane continues from the last write. */
  readonly read?: object | undefined;
  readonly observed: ObservedState;
  /** Returns the object from which a fact is read, as it is in the cluster. */
  readonly raw: (what: NamedFact, name: string) => KubeObject | undefined;
  readonly at: Date;
  readonly config: EngineConfig;
}

/** A decision without its status, which stays in the lane. */
export interface LaneDecision
  extends
    Pick<Decision, "hasChanges" | "phase" | "actions" | "gauges" | "locks" | "requeueAt" | "isPartial" | "logLines"> {
  /** The IDs of the nodes that may have changed, among those that actions name. */
  readonly changedNodes: ReadonlySet<string>;
  /** The workflow before the decision, without its large parts. */
  readonly before: Workflow;
  /** The duration of reading and deciding, in milliseconds. */
  readonly millis: number;
  /** Bytes of its nodes, as JSON. */
  readonly bytes: number;
}

/** Passes that do not block others. Callers request one pass of a key at a time. */
export interface SlowLane {
  /** Whether the lane can continue from the last write. */
  holds(key: string): boolean;
  /**
   * Runs a pass.
   * @throws {PassFailedError} if no pass returns; or any error of `decide` and of reading.
   * @throws {LaneLostError} if the lane no longer has the workflow: request it again.
   */
  decide(task: LaneTask): Promise<LaneDecision>;
  /** The change of the last decision about a key in the form to write; `after` lacks the large parts. */
  packChange(key: string, stamp: EpochStamp): Promise<LaneChange | undefined>;
  /** Records that the last decision of a key was written. */
  recordWrite(key: string, receipt: Receipt): void;
  /** Forgets a key. */
  forget(key: string): void;
  close(): Promise<void>;
}

/** An error because the lane lost the state of a workflow, which is not the fault of the workflow. */
export class LaneLostError extends Error {
  override readonly name = "LaneLostError";
}

/** A change in the form to write; `after` is the workflow after it, without its large parts. */
export interface LaneChange {
  readonly patch: Record<string, unknown>;
  readonly after: Workflow;
}

/** Returns a workflow without its large parts: its identity and phase. */
export function headOf({ apiVersion, kind, metadata, spec, status }: Workflow): Workflow {
  const { annotations: _, managedFields: __, ...small } = metadata;
  const { phase, message, startedAt, finishedAt } = status ?? {};
  const ofTemplate = spec.workflowTemplateRef ? { workflowTemplateRef: spec.workflowTemplateRef } : {};
  return { apiVersion, kind, metadata: small, spec: ofTemplate, status: { phase, message, startedAt, finishedAt } };
}
