/**
 * Locks around a decision. The engine requests locks and is called again with the answers; locks that nodes release pass
 * to the next nodes of the same workflow, so that one write records both.
 *
 * The law: a decision that this module returns has no unanswered request (unless it used up its rounds), and each lock
 * that it passed on is taken back if that decision is dropped, cannot be written, or could not be made in time.
 */
import type { Decision, LockWishes } from "@tiphys/engine";
import type { HandOver, LockAsk } from "@tiphys/engine/lock_table";
import type { Synchronizer } from "./synchronizer.ts";

/** How often one pass decides at most: a granted lock may lead to further requests, which the next pass answers. */
const MOST_ROUNDS = 20;

interface HasLocks {
  readonly decision: Pick<Decision, "locks">;
}

/** The locks of the workflow that is decided. */
export interface LocksOfPass {
  readonly key: string;
  readonly locks: Pick<Synchronizer, "inherit" | "isNamed" | "handOver" | "mayHandOver">;
  /** Answers requests: the facts of the next call of `decide` have the answers. */
  readonly answer: (requests: readonly LockAsk[]) => Promise<void>;
}

/** A decision with its locks. */
export interface LockedDecision<D> {
  readonly decided: D;
  /** Whether the locks that nodes release can pass to other nodes of the workflow with the write of this decision. */
  mayHandOver(): boolean;
  /** Passes those locks on and decides again; undefined if there was no time for that. */
  handOver(): Promise<LockedDecision<D> | undefined>;
  /** Releases the locks that were passed on: the decision will not be written. */
  undo(): void;
}

/**
 * Decides until all lock requests are answered. `decide` observes all facts each time; `isFirst` unless it was called
 * before in this pass.
 * @returns undefined if `decide` had no time.
 */
export async function decideWithLocks<D extends HasLocks>(
  pass: LocksOfPass,
  decide: (isFirst: boolean) => Promise<D | undefined>,
): Promise<LockedDecision<D> | undefined> {
  const { key, locks } = pass;
  const again = () => decide(false);
  let decided = await decide(true);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { asks } = wishesOf(decided);
    if (asks.length === 0) break;
    await pass.answer(asks);
    decided = await again();
  }
  if (!decided) return undefined;
  const { over } = wishesOf(decided);
  const inherited = locks.inherit(key, over);
  if (inherited) return await decideAfter(pass, again, inherited);
  // The status already names the next holders, so they have their locks without a write.
  if (!releasesEvidently(decided) || !locks.isNamed(key, over)) return lockedDecision(pass, again, decided);
  const handOver = locks.handOver(key, over);
  const succeeded = await decideAfter(pass, again, handOver);
  if (!succeeded) return undefined;
  handOver?.keep();
  return lockedDecision(pass, again, succeeded.decided);
}

function lockedDecision<D extends HasLocks>(
  pass: LocksOfPass,
  again: () => Promise<D | undefined>,
  decided: D,
): LockedDecision<D> {
  const { key, locks } = pass;
  const { over } = wishesOf(decided);
  return {
    decided,
    mayHandOver: () => releases(decided) && locks.mayHandOver(key, over),
    handOver: () => decideAfter(pass, again, locks.handOver(key, over)),
    undo() {},
  };
}

/** Decides once more after locks were passed on, and takes them back if there is no time for that or it fails. */
async function decideAfter<D extends HasLocks>(
  pass: LocksOfPass,
  again: () => Promise<D | undefined>,
  handOver: HandOver | undefined,
): Promise<LockedDecision<D> | undefined> {
  const undo = () => handOver?.undo();
  let decided: D | undefined;
  try {
    decided = await again();
  } finally {
    if (!decided) undo();
  }
  return decided && { ...lockedDecision(pass, again, decided), mayHandOver: () => false, undo };
}

/** Whether nodes release locks and none is requested. */
function releases(decided: HasLocks): boolean {
  const { asks, over } = wishesOf(decided);
  return asks.length === 0 && over.length > 0;
}

/** The same, and the status of the workflow shows already that those nodes have finished. */
function releasesEvidently(decided: HasLocks): boolean {
  return decided.decision.locks?.isEvident === true && releases(decided);
}

function wishesOf(decided: HasLocks | undefined): Pick<LockWishes, "asks" | "over"> {
  return decided?.decision.locks ?? NOTHING;
}

const NOTHING = { asks: [], over: [] };
