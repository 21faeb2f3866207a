/**
 * Locks around a decision. The engine requests locks and is called again with the answers; locks that nodes release
 * pass to the next nodes of the same workflow, so that one write records both.
 *
 * Invariant: a decision that this module returns has no unanswered request (unless it used up its rounds), and each
 * lock that it transferred is taken back if that decision is dropped, cannot be written, or was not completed in time.
 */
import type { Decision } from "@tiphys/engine";
import type { LockChanges } from "@tiphys/engine/locks";
import type { LockRequest, LockTransfer } from "@tiphys/engine/lock_table";
import type { Synchronizer } from "./synchronizer.ts";

/**
 * The maximum number of decisions in one pass: a granted lock may lead to further requests, which the next pass
 * answers.
 */
const MAX_ROUNDS = 20;

interface WithLockChanges {
  readonly decision: Pick<Decision, "locks">;
}

/** The locks of the workflow that is decided. */
export interface LocksOfPass {
  readonly key: string;
  readonly locks: Pick<Synchronizer, "mayTransfer" | "transfer" | "transferToRestored" | "wouldGoToNamedSuccessors">;
  /** Answers requests: the facts of the next call of `decide` have the answers. */
  readonly answer: (requests: readonly LockRequest[]) => Promise<void>;
}

/** A decision with its locks. */
export interface LockedDecision<D> {
  readonly decided: D;
  /**
   * Whether the locks that nodes release can be transferred to other nodes of the workflow with the write of this
   * decision.
   */
  mayTransferLocks(): boolean;
  /** Transfers those locks and decides again; undefined if there was no time for that. */
  transferLocks(): Promise<LockedDecision<D> | undefined>;
  /** Takes back the transferred locks: the decision will not be written. */
  undo(): void;
}

/**
 * Decides until all lock requests are answered. `decide` observes all facts each time; `isFirst` unless it was called
 * before in this pass.
 * @returns undefined if `decide` had no time.
 */
export async function decideWithLocks<D extends WithLockChanges>(
  pass: LocksOfPass,
  decide: (isFirst: boolean) => Promise<D | undefined>,
): Promise<LockedDecision<D> | undefined> {
  const { key, locks } = pass;
  const decideAgain = () => decide(false);
  let decided = await decide(true);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { requests } = lockChangesOf(decided);
    if (requests.length === 0) break;
    await pass.answer(requests);
    decided = await decideAgain();
  }
  if (!decided) return undefined;
  const { released } = lockChangesOf(decided);
  const restored = locks.transferToRestored(key, released);
  if (restored) return await decideAfterTransfer(pass, decideAgain, restored);
  // The status already names the next holders, so they have their locks without a write.
  if (!releasesRecordedLocks(decided) || !locks.wouldGoToNamedSuccessors(key, released)) {
    return lockedDecision(pass, decideAgain, decided);
  }
  const transfer = locks.transfer(key, released);
  const after = await decideAfterTransfer(pass, decideAgain, transfer);
  if (!after) return undefined;
  transfer?.commit();
  return lockedDecision(pass, decideAgain, after.decided);
}

function lockedDecision<D extends WithLockChanges>(
  pass: LocksOfPass,
  decideAgain: () => Promise<D | undefined>,
  decided: D,
): LockedDecision<D> {
  const { key, locks } = pass;
  const { released } = lockChangesOf(decided);
  return {
    decided,
    mayTransferLocks: () => releases(decided) && locks.mayTransfer(key, released),
    transferLocks: () => decideAfterTransfer(pass, decideAgain, locks.transfer(key, released)),
    undo() {},
  };
}

/** Decides again after a transfer of locks, and takes them back if there is no time for that or it fails. */
async function decideAfterTransfer<D extends WithLockChanges>(
  pass: LocksOfPass,
  decideAgain: () => Promise<D | undefined>,
  transfer: LockTransfer | undefined,
): Promise<LockedDecision<D> | undefined> {
  const undo = () => transfer?.undo();
  let decided: D | undefined;
  try {
    decided = await decideAgain();
  } finally {
    if (!decided) undo();
  }
  return decided && { ...lockedDecision(pass, decideAgain, decided), mayTransferLocks: () => false, undo };
}

/** Whether nodes release locks and no node requests one. */
function releases(decided: WithLockChanges): boolean {
  const { requests, released } = lockChangesOf(decided);
  return requests.length === 0 && released.length > 0;
}

/** Like releases(), and the status already records that those nodes have finished. */
function releasesRecordedLocks(decided: WithLockChanges): boolean {
  return decided.decision.locks?.isEvident === true && releases(decided);
}

function lockChangesOf(decided: WithLockChanges | undefined): Pick<LockChanges, "requests" | "released"> {
  return decided?.decision.locks ?? NO_CHANGES;
}

const NO_CHANGES = { requests: [], released: [] };
