/** The facts about locks for a pass, and its requests. */
import type { LockAnswer, LockAnswers, LockRequest, StalledHolder, Successors } from "../lock_table/mod.ts";

/** The read-only answers to a workflow's lock requests. */
export type ReadonlyAnswers =
  & ReadonlyMap<string, LockAnswer>
  & Pick<LockAnswers, "held" | "waitedFor" | "lost">;

/** The facts about the locks of one workflow; absent until the workflow requests a lock. */
export interface LockFacts {
  /**
   * The answers to lock requests, by the ID of the node that will hold the locks; those of the workflow have the empty
   * ID. A node depends on the fact `lock/ID`.
   */
  readonly answers: ReadonlyAnswers;
  /** Whether to write the current holders to the status even if nothing else about locks has changed. */
  readonly mustWriteHolders?: boolean;
  /** The holders of each lock that the workflow waits for, by the lock's `TYPE KEY`. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /**
   * The nodes in a deadlock with other workflows, by ID, with a description; undefined without such nodes. A node
   * depends on the fact `lock/ID`.
   */
  readonly deadlocks?: ReadonlyMap<string, string> | undefined;
  /** The nodes that get a lock next after other nodes of this workflow, if no other workflow is before them. */
  readonly successors?: Successors;
}

/** The lock requests of a decision, and the changes of locks in its status. */
export interface LockChanges {
  /**
   * The requested locks. They are answered before the decision is written; then the decision is made again with the
   * answers.
   */
  readonly requests: readonly LockRequest[];
  /** The nodes whose holds are in the status, and are recorded after it is written. */
  readonly held: readonly string[];
  /** The nodes that release their locks after the status is written. */
  readonly released: readonly string[];
  /** Whether all of those are pods that have ended or reported their end, which any observer can see. */
  readonly isEvident?: boolean;
  /** Whether the status is written with the current holders of locks that the workflow waits for. */
  readonly writesHolders: boolean;
  /** The successors in the status. After it is written, they may get their locks without another write. */
  readonly successors?: Successors;
  /** All holders in which everything waits for locks, by node ID; undefined if unknown. */
  readonly stalled?: ReadonlyMap<string, StalledHolder> | undefined;
}

/** The ID of the workflow itself among the holders of its locks. */
export const WHOLE_WORKFLOW = "";

/** The prefix of facts about locks in the log of outside facts. */
export const LOCK_FACT = "lock/";

/** The fact that a node's lock depends on. */
export function lockFact(nodeId: string): `lock/${string}` {
  return `${LOCK_FACT}${nodeId}`;
}
