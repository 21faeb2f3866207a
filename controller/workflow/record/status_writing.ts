/**
 * Decides when and in which form the status of one workflow is written, and whether an action requires a write in the
 * current epoch first.
 */
import type { Workflow } from "@tiphys/model/api";
import type { Action, Decision } from "@tiphys/engine";
import type { StoredNodes } from "./stored_nodes.ts";

/** The part of a decision that is read before it is written. */
export type DecisionSummary = Pick<
  Decision,
  "hasChanges" | "phase" | "actions" | "gauges" | "locks" | "requeueAt" | "isPartial" | "logLines" | "isNodeChanged"
>;

/** Conditions, apart from the decision itself, that determine whether and how a status is written. */
export interface WriteContext {
  /** Whether the API server is so busy that background work waits. */
  readonly isServerBusy?: boolean;
  /** Whether all released locks are transferred to other nodes of the workflow. */
  readonly transfersLocks?: boolean;
  /** Whether the status names a node as a next holder of its lock, which it holds by now. */
  readonly isUnrecordedSuccessor?: (nodeId: string) => boolean;
  /** Whether the status names so few next holders that nodes would soon have to wait for a write. */
  readonly needsMoreSuccessors?: boolean;
}

/** The state of the writes of one workflow. */
export class StatusWriting {
  /** The form of the nodes; undefined while only the slow lane has them. */
  stored: StoredNodes | undefined;
  /** Whether this process has written the workflow, so that no earlier controller can write it anymore. */
  #isProven = false;
  /** The time since which a decision is unwritten, in milliseconds since the epoch. */
  #unwrittenSince: number | undefined;
  /** The time since which a lock could be transferred to the next node, in milliseconds since the epoch. */
  #idleSince: number | undefined;
  /** The duration of the last write, in milliseconds. */
  #millis = 0;

  /**
   * Whether the decisions of all previous controllers are known: this process has written the workflow in its own
   * epoch, or `epoch` is undefined because no other controller can be active.
   */
  isProven(epoch: number | undefined): boolean {
    return epoch === undefined || this.#isProven;
  }

  /** Whether a write must come before the actions of a decision. */
  needsProof(epoch: number | undefined, { actions }: DecisionSummary): boolean {
    return !this.isProven(epoch) && actions.some(({ kind }) => !UNCONDITIONAL_ACTIONS.has(kind));
  }

  /**
   * Returns when a decision has to be written: `now`, or milliseconds since the epoch. A change that only reports
   * progress (a pod started, one of many ended) may wait for the next change, and every pass until then makes the same
   * decision again. While the API server is so busy that background work waits, it waits up to some seconds. Locks
   * that pass to the next node wait as long as the last write took, so that several pass with one write when writes
   * are slow.
   */
  due(
    before: Workflow,
    decision: DecisionSummary,
    now: number,
    { isServerBusy = false, transfersLocks = false, isUnrecordedSuccessor, needsMoreSuccessors = false }: WriteContext =
      {},
  ): number | "now" {
    const { actions, hasChanges, phase } = decision;
    if (!hasChanges && actions.length === 0) return "now";
    // The next pass is due now and continues from this status; if unwritten, it would be decided again and again.
    if (decision.requeueAt !== undefined && decision.requeueAt <= now) return "now";
    // Other workflows may wait for the released locks.
    if (decision.locks?.released.length && !transfersLocks) return "now";
    // The next pass continues from what this one has left to it.
    if (decision.isPartial) return "now";
    const isNews = phase === before.status?.phase &&
      actions.every((action) =>
        DEFERRABLE_ACTIONS.has(action.kind) || isOfOldNode(action, decision, isUnrecordedSuccessor)
      );
    if (!isNews || needsMoreSuccessors) return "now";
    this.#unwrittenSince ??= now;
    if (decision.locks?.released.length) {
      this.#idleSince ??= now;
      const due = this.#idleSince + Math.min(GATHER_MILLIS, TRANSFER_SHARE * this.#millis);
      return now < due ? due : "now";
    }
    const due = this.#unwrittenSince + Math.max(GATHER_MILLIS, WRITING_SHARE * this.#millis);
    if (now < due) return due;
    const latest = this.#unwrittenSince + MAX_DEFER_MILLIS;
    return isServerBusy && now < latest ? Math.min(now + GATHER_MILLIS, latest) : "now";
  }

  /** Records that a write starts. */
  writeStarted(): void {
    this.#unwrittenSince = this.#idleSince = undefined;
  }

  /** Records that a write ended or was not needed, and its duration. */
  writeEnded(millis: number, { isWritten }: { readonly isWritten: boolean }): void {
    if (isWritten) this.#isProven = true;
    this.#millis = millis;
  }
}

/**
 * Whether an action creates the pod of a node that was written before and has not changed since, except that it got
 * its lock as a next holder. Its status need not be written first.
 */
export function isOfOldNode(
  action: Action,
  decision: Pick<DecisionSummary, "isNodeChanged">,
  isAhead: NonNullable<WriteContext["isUnrecordedSuccessor"]> = () => false,
): boolean {
  return action.kind === "createPod" && (!decision.isNodeChanged(action.nodeId) || isAhead(action.nodeId));
}

/**
 * Actions that are safe whichever controller is active: each only reports, or is itself a conditional write of the
 * workflow.
 */
const UNCONDITIONAL_ACTIONS: ReadonlySet<Action["kind"]> = new Set([
  "event",
  "deleteTaskResults",
  "deleteWorkflow",
  "lookUpMemo",
  "dropMemo",
]);

/** Actions that may be applied a little later without affecting a workflow. */
const DEFERRABLE_ACTIONS: ReadonlySet<Action["kind"]> = new Set(["event", "finishPod"]);
const GATHER_MILLIS = 500;
/** The maximum time in milliseconds that such a change waits for a busy server: as long as background work. */
const MAX_DEFER_MILLIS = 3000;
/**
 * The maximum time that a released lock stays unused so that it is transferred together with others, as a multiple of
 * the duration of a write.
 */
const TRANSFER_SHARE = 1;
/**
 * The minimum time between writes as a multiple of the duration of a write: a large status is expensive to write, above
 * all for the server.
 */
const WRITING_SHARE = 4;
