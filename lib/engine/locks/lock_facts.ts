/** Locks as a pass sees them, and what it wants of them. */
import type { LockAnswer, LockAnswers, LockAsk, StalledHolder, Successors } from "../lock_table/mod.ts";

/** The answers to what a workflow asked for, to be read. */
export type ReadonlyAnswers =
  & ReadonlyMap<string, LockAnswer>
  & Pick<LockAnswers, "held" | "waitedFor" | "lost">;

/** The facts about the locks of one workflow; there are none before the workflow asks for a lock. */
export interface LockFacts {
  /**
   * The answers to what was asked for, by the ID of the node that is to hold the locks; those of the workflow itself
   * are under the empty text. A node depends on the fact `lock/ID`.
   */
  readonly answers: ReadonlyAnswers;
  /** Whether the status is to say who holds them now, although nothing else about locks is new. */
  readonly tellsHolders?: boolean;
  /** The holders of each lock that the workflow waits for, by the lock's `TYPE KEY`. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /**
   * The nodes that wait in a deadlock with other workflows, by ID, and what is told of it; absent where none does. A node
   * depends on the fact `lock/ID`.
   */
  readonly deadlocks?: ReadonlyMap<string, string> | undefined;
  /** The nodes that come next where others of the workflow hold a lock, and nobody else before them. */
  readonly successors?: Successors;
}

/** The wishes of a decision about locks. */
export interface LockWishes {
  /**
   * The locks that are asked for. They are answered before the decision is written; then it is made anew, with the
   * answers.
   */
  readonly asks: readonly LockAsk[];
  /** The nodes whose holds stand in the status: once it is written, they are written. */
  readonly held: readonly string[];
  /** The nodes that need theirs no more: to be given back once the status is written. */
  readonly over: readonly string[];
  /** Whether all of those were pods that have ended, or reported their end: whoever looks sees that they are over. */
  readonly isEvident?: boolean;
  /** Whether the status is written anew with who holds what the workflow waits for. */
  readonly namesHolders: boolean;
  /** Those of the successors that the status names: once it is written, they may have their locks without another write. */
  readonly successors?: Successors;
  /** All holders in which nothing goes on but waiting for locks, by node ID; absent where that is not known. */
  readonly stalled?: ReadonlyMap<string, StalledHolder> | undefined;
}

/** Begins the names of facts about locks, in the log of facts outside. */
export const LOCK_FACT = "lock/";

/** The fact that a node's lock depends on. */
export function lockFact(nodeId: string): `lock/${string}` {
  return `${LOCK_FACT}${nodeId}`;
}
