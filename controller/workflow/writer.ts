/**
 * The writer of one workflow's decisions in a pass. It chooses the lane, and decides whether a decision is written
 * now, later, or dropped: by the epoch of the lease and its proof, the pace of writes, and the locks that are
 * transferred with a write.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { withWorkSpan } from "@tiphys/base/metrics";
import { type Action, Memory } from "@tiphys/engine";
import { hasGarbageFinalizer } from "@tiphys/engine/garbage";
import { classifyError, type KubeObject } from "@tiphys/kube";
import type { Workflow } from "@tiphys/model/api";
import { isCompletedPhase } from "@tiphys/model/status";
import type { LaneResult } from "./decider.ts";
import { isLarge } from "./lane/pace.ts";
import { phaseOf } from "./observe/glance.ts";
import type { ReconcilerOptions } from "./reconciler_options.ts";
import { type DecisionSummary, isOfOldNode, type WriteContext } from "./record/status_writing.ts";
import { NeedsSlowLaneError } from "./record/stored_nodes.ts";
import type { Subject } from "./subject.ts";
import type { LockedDecision } from "./sync/decide_with_locks.ts";

/** The actions of a decision: `early` may begin before it is written, `late` must not. */
export interface OrderedActions {
  readonly early: readonly Action[];
  readonly late: readonly Action[];
}

/** The plan of the writer: the decision to write now and the actions after it, or when to decide again. */
export type WritePlan =
  | {
    readonly when: "now";
    readonly decision: LockedDecision<LaneResult>;
    readonly actions: readonly Action[];
    /** Whether it is written although nothing else changed, to prove that no other controller wrote in between. */
    readonly needsProof: boolean;
  }
  /** Milliseconds since the epoch; until then each pass makes the same decision again. */
  | { readonly when: "later"; readonly at: number }
  /** The locks could not be transferred in time: they are taken back, and the workflow is decided again at once. */
  | { readonly when: "undo" };

/** The writer of one pass. */
export class Writer {
  /** Whether the pass is made in the slow lane. */
  readonly isSlow: boolean;
  readonly #options: ReconcilerOptions;
  readonly #subject: Subject;

  constructor(options: ReconcilerOptions, subject: Subject) {
    this.#options = options;
    this.#subject = subject;
    const { key, read, state: { isWithoutNodes, pace } } = subject;
    const hasPods = () => read !== undefined && options.ledger.factsOf(key, read).pods.size > 0;
    if (options.isSlow?.(key) || (read && isSlowToRead(read, hasPods()))) pace.toSlowLane();
    this.isSlow = pace.isSlow || (isWithoutNodes && !read);
  }

  /** Orders the actions of a decision around its write. */
  order({ decision }: LaneResult): OrderedActions {
    const { actions } = decision;
    const isProven = this.#subject.state.writing.isProven(this.#options.epoch);
    if (!isProven || this.#isNewHolder(decision)) return { early: [], late: actions };
    const isEarly = (action: Action) => isOfOldNode(action, decision, this.#isAhead);
    return { early: actions.filter(isEarly), late: actions.filter((action) => !isEarly(action)) };
  }

  /** Decides whether a decision is written now; `late` are the actions that come after the write. */
  async plan(locked: LockedDecision<LaneResult>, late: readonly Action[]): Promise<WritePlan> {
    const { clock, epoch } = this.#options;
    const { writing } = this.#subject.state;
    const { before, decision } = locked.decided;
    const needsProof = writing.needsProof(epoch, decision);
    const transfersLocks = locked.mayTransferLocks();
    const mustWrite = needsProof || this.#isNewHolder(decision);
    const due = mustWrite ? "now" : writing.due(before, decision, clock.now(), this.#writeContext(transfersLocks));
    if (due !== "now") return { when: "later", at: Math.min(due, decision.requeueAt ?? Infinity) };
    if (!transfersLocks) return { when: "now", decision: locked, actions: late, needsProof };
    const afterTransfer = await locked.transferLocks();
    if (!afterTransfer) return { when: "undo" };
    return { when: "now", decision: afterTransfer, actions: afterTransfer.decided.decision.actions, needsProof };
  }

  /**
   * Writes a decision, and returns the workflow as it is then. Undefined if only the slow lane can write it, because
   * its nodes must be compressed: the decision is dropped.
   * @throws {KubeError} a conflict when another client wrote in between.
   */
  async write(plan: WritePlan & { readonly when: "now" }): Promise<Workflow | undefined> {
    const { actions: { onWork }, clock, epoch, locks } = this.#options;
    const { key, state, trace } = this.#subject;
    const { decision: { decided: { before, write }, undo }, needsProof: isNeeded } = plan;
    const { writing } = state;
    writing.writeStarted();
    const begun = clock.now();
    let written: Workflow;
    try {
      const work = { name: "persist_updates", workflow: before, ...trace } as const;
      written = await withWorkSpan(onWork, work, clock, () => write({ epoch, isNeeded }));
    } catch (error) {
      undo();
      if (isRefused(error)) locks.revokeGrants(key);
      if (!(error instanceof NeedsSlowLaneError)) throw error;
      state.pace.toSlowLane();
      state.memory = new Memory();
      return undefined;
    }
    writing.writeEnded(clock.now() - begun, { isWritten: written !== before });
    state.setLatest(written, { isHead: state.isWithoutNodes });
    return written;
  }

  /** Nothing is created under a lock before its holder is written. */
  #isNewHolder({ locks }: DecisionSummary): boolean {
    return locks !== undefined && this.#options.locks.hasUnrecordedGrant(this.#subject.key);
  }

  #writeContext(transfersLocks: boolean): WriteContext {
    const { client: { isBackgroundWaiting }, locks } = this.#options;
    return {
      isServerBusy: isBackgroundWaiting,
      transfersLocks,
      isUnrecordedSuccessor: this.#isAhead,
      needsMoreSuccessors: locks.needsSuccessors(this.#subject.key),
    };
  }

  readonly #isAhead = (nodeId: string): boolean => this.#options.locks.isUnrecordedSuccessor(this.#subject.key, nodeId);
}

/** Whether it takes long to read a workflow: it is large, or its nodes are needed and compressed. */
function isSlowToRead(read: KubeObject, hasPods: boolean): boolean {
  if (isLarge(read)) return true;
  return Boolean(fieldsOf(read.status).compressedNodes) &&
    (!isCompletedPhase(phaseOf(read)) || hasPods || hasGarbageFinalizer(read));
}

/** Whether a write was refused for good: after a transient error or a conflict it may still be written. */
function isRefused(error: unknown): boolean {
  const sort = classifyError(error);
  return sort !== "conflict" && sort !== "transient";
}
