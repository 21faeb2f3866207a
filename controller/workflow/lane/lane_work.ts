/** The work of the slow lane: reads, decides and packs, and keeps the state from which the next pass continues. */
import type { Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import { type Change, decide, type Decision, type EngineConfig, Memory } from "@tiphys/engine";
import { storedAs } from "../record/stored_nodes.ts";
import { withNodes, workflowOf } from "../observe/read_workflow.ts";
import { type EpochStamp, packChange, type Receipt, workflowAfterWrite } from "../record/record.ts";
import type { StoredNodes } from "../record/stored_nodes.ts";
import { WorkClock } from "./work_clock.ts";
import { headOf, type LaneChange, type LaneDecision, LaneLostError, type LaneTask } from "./lane.ts";

interface LaneState {
  latest: Workflow;
  readonly memory: Memory;
  readonly stored: StoredNodes;
  decision?: Decision;
  /** The decided change, once it is packed. */
  after?: Change;
  bytes: number;
}

/** The maximum size and number of cached workflows: the one that was used least recently is dropped first. */
const MAX_CACHED_BYTES = 96 * 1024 * 1024;
const MAX_CACHED_WORKFLOWS = 200;
/** Estimated bytes of a workflow without its nodes. */
const BASE_BYTES = 64 * 1024;

/** Calls a function, perhaps with a time limit. */
export type BoundedCall = <R>(call: () => R) => R;

/** All workflows of one lane. */
export class LaneWork {
  /** Least recently used first. */
  readonly #held = new Map<string, LaneState>();
  readonly #onDropped: (key: string) => void;
  readonly #elapsed: () => number;
  readonly #workClock: () => () => number;
  readonly #bounded: BoundedCall;

  /**
   * `onDropped` is called for each workflow that is dropped without a request; `bounded` runs a pass that might never
   * return, so that it can be interrupted.
   */
  constructor(onDropped: (key: string) => void, elapsed?: () => number, bounded: BoundedCall = (call) => call()) {
    this.#onDropped = onDropped;
    this.#bounded = bounded;
    this.#elapsed = elapsed ?? (() => performance.now());
    this.#workClock = () => elapsed ?? new WorkClock(LIMITS.evaluationMillis).now;
  }

  async decide({ key, read, observed, at, config }: Omit<LaneTask, "raw">): Promise<LaneDecision> {
    const began = this.#elapsed();
    const held = read ? await this.#read(key, read, observed.pods.size > 0, config) : this.#held.get(key);
    if (!held) throw new LaneLostError(`no state of ${key}`);
    this.#held.delete(key);
    this.#held.set(key, held);
    const meter = new EvaluationMeter({
      now: this.#workClock(),
      all: LIMITS.passEvaluationMillis,
      single: LIMITS.evaluationMillis,
    });
    const pass = () => decide(held.latest, observed, at, config, held.memory, this.#elapsed);
    const decision = this.#bounded(() => withMeter(meter, pass));
    held.decision = decision;
    held.after = undefined;
    held.bytes = held.memory.nodes!.bytes + BASE_BYTES;
    this.#makeRoom(key);
    const { hasChanges, phase, actions, locks, gauges, requeueAt, isPartial, logLines } = decision;
    const named = actions.flatMap((action) => action.kind === "createPod" ? [action.nodeId] : []);
    return {
      hasChanges,
      phase,
      actions,
      ...(locks && { locks }),
      ...(gauges && { gauges }),
      ...(requeueAt !== undefined && { requeueAt }),
      isPartial,
      logLines,
      changedNodes: new Set(named.filter((id) => decision.isNodeChanged(id))),
      before: headOf(held.latest),
      millis: this.#elapsed() - began,
      bytes: held.memory.nodes!.bytes,
    };
  }

  async packChange(key: string, stamp: EpochStamp): Promise<LaneChange | undefined> {
    const held = this.#held.get(key);
    if (!held?.decision) throw new LaneLostError(`no decision about ${key}`);
    const packed = await packChange(held.latest, held.decision.change, held.stored, stamp);
    if (!packed) return undefined;
    held.after = packed.after;
    return { patch: packed.patch, after: headOf(packed.after.head) };
  }

  recordWrite(key: string, receipt: Receipt): void {
    const held = this.#held.get(key);
    if (!held?.after) return;
    held.latest = workflowAfterWrite(held.after, receipt);
    held.after = held.decision = undefined;
  }

  forget(key: string): void {
    this.#held.delete(key);
  }

  async #read(
    key: string,
    read: NonNullable<LaneTask["read"]>,
    hasPods: boolean,
    config: EngineConfig,
  ): Promise<LaneState> {
    this.#held.delete(key);
    const workflow = workflowOf(read);
    const stored = storedAs(workflow, config);
    return { latest: await withNodes(workflow, hasPods, config.limits.nodes), memory: new Memory(), stored, bytes: 0 };
  }

  #makeRoom(besides: string): void {
    let bytes = 0;
    for (const held of this.#held.values()) bytes += held.bytes;
    for (const [key, held] of this.#held) {
      if (key === besides || (bytes <= MAX_CACHED_BYTES && this.#held.size <= MAX_CACHED_WORKFLOWS)) return;
      bytes -= held.bytes;
      this.#held.delete(key);
      this.#onDropped(key);
    }
  }
}
