/** The writing of one workflow: when its status is written, in which form, and what that proves. */
import type { Workflow } from "@tiphys/model/api";
import type { Action, Decision } from "@tiphys/engine";
import type { StoredNodes } from "./stored_nodes.ts";

/** The part of a decision that is read before it is written. */
export type Verdict = Pick<
  Decision,
  "isChange" | "phase" | "actions" | "gauges" | "locks" | "requeueAt" | "isPart" | "notes" | "isTouched"
>;

/** What bears on when a decision is written, beside itself. */
export interface Circumstances {
  /** The API server is so busy that work in the background is put off. */
  readonly isPuttingOff?: boolean;
  /** The locks that are given back are wanted by other nodes of the workflow, and go to nobody else. */
  readonly handsOver?: boolean;
  /** Whether a node stands in the status as one of the next holders of its lock, which it has by now. */
  readonly isAhead?: (nodeId: string) => boolean;
  /** So few next holders of a lock are named in the status that soon nobody may have it before it is written. */
  readonly runsShort?: boolean;
}

/** The state of the writing of one workflow. */
export class StatusWriting {
  /** The form of the nodes; undefined as long as the slow lane alone has them. */
  stored: StoredNodes | undefined;
  /** This process has written the workflow: nobody who was at work before us can write it any more. */
  #isProven = false;
  /** The moment since which something is decided and not written yet, in milliseconds since 1970. */
  #unwrittenSince: number | undefined;
  /** The moment since which a lock could go from one node to the next, in milliseconds since 1970. */
  #idleSince: number | undefined;
  /** The duration of the last write, in milliseconds. */
  #millis = 0;

  /**
   * Whether all that another process decided before us is known: only when we have written in our own epoch, or `epoch`
   * is undefined because nobody else can be at work.
   */
  isProven(epoch: number | undefined): boolean {
    return epoch === undefined || this.#isProven;
  }

  /** Whether a write must come before the actions of a decision. */
  needsProof(epoch: number | undefined, { actions }: Verdict): boolean {
    return !this.isProven(epoch) && actions.some(({ kind }) => !UNCONDITIONAL.has(kind));
  }

  /**
   * The moment at which a decision is to be written, in milliseconds since 1970. A change that only shows how things
   * stand (a pod came up, one of many ended) may wait a moment for what comes next and be written with it; until then
   * every pass decides it anew. It waits longer, for seconds at most, while the API server is so busy that work in the
   * background is put off: by then most such changes were followed by the next. Locks that go from one node to the next wait
   * as long as the last write took, so that several go at once where writing is slow.
   */
  due(
    before: Workflow,
    decision: Verdict,
    now: number,
    { isPuttingOff = false, handsOver = false, isAhead, runsShort = false }: Circumstances = {},
  ): number | "now" {
    const { actions, isChange, phase } = decision;
    if (!isChange && actions.length === 0) return "now";
    // The next pass is due now, and goes on from this status; unwritten, the same would be decided again and again.
    if (decision.requeueAt !== undefined && decision.requeueAt <= now) return "now";
    // Other workflows may wait for the locks that are given back.
    if (decision.locks?.over.length && !handsOver) return "now";
    // A pass that left something to the next one must be written: that one goes on from it.
    if (decision.isPart) return "now";
    const isNews = phase === before.status?.phase &&
      actions.every((action) => PATIENT.has(action.kind) || isOfOldNode(action, decision, isAhead));
    if (!isNews || runsShort) return "now";
    this.#unwrittenSince ??= now;
    if (decision.locks?.over.length) {
      this.#idleSince ??= now;
      const due = this.#idleSince + Math.min(GATHER_MILLIS, HAND_OVER_SHARE * this.#millis);
      return now < due ? due : "now";
    }
    const due = this.#unwrittenSince + Math.max(GATHER_MILLIS, WRITING_SHARE * this.#millis);
    if (now < due) return due;
    const latest = this.#unwrittenSince + PATIENCE_MILLIS;
    return isPuttingOff && now < latest ? Math.min(now + GATHER_MILLIS, latest) : "now";
  }

  /** Notes that what was decided is being written now. */
  begun(): void {
    this.#unwrittenSince = this.#idleSince = undefined;
  }

  /** Notes that a write ended, or was not needed, and how long it took. */
  ended(millis: number, { isWritten }: { readonly isWritten: boolean }): void {
    if (isWritten) this.#isProven = true;
    this.#millis = millis;
  }
}

/**
 * The pod of a node that was written before, and did not change since but for having its lock as one of the next holders: its
 * status need not be written first.
 */
export function isOfOldNode(
  action: Action,
  decision: Pick<Verdict, "isTouched">,
  isAhead: NonNullable<Circumstances["isAhead"]> = () => false,
): boolean {
  return action.kind === "createPod" && (!decision.isTouched(action.nodeId) || isAhead(action.nodeId));
}

/**
 * Actions that may be done whoever is at work: each tells something, or is a conditional write of the workflow by
 * itself.
 */
const UNCONDITIONAL: ReadonlySet<Action["kind"]> = new Set([
  "event",
  "deleteTaskResults",
  "deleteWorkflow",
  "lookUpMemo",
  "takeMemo",
]);

/** Actions that change nothing for a workflow when they come a little later. */
const PATIENT: ReadonlySet<Action["kind"]> = new Set(["event", "finishPod"]);
const GATHER_MILLIS = 500;
/** The longest that such a change waits for a busy server: as long as work in the background does. */
const PATIENCE_MILLIS = 3000;
/** How long a lock may lie idle for those that are given back a moment later, in durations of a write. */
const HAND_OVER_SHARE = 1;
/** A large status is expensive to write, for the server above all: it is not written all the time. */
const WRITING_SHARE = 4;
