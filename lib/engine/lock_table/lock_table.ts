/**
 * The table of locks: holders, waiting claims and their order. All or nothing: a claim is granted when it is at the
 * front of each of its queues and every lock has room; it then gets all of its locks. The order is the same in every
 * queue, so the first claim can always be granted when there is room: no claim starves, and no two wait for each other.
 */
import {
  type Claim,
  type DatabaseRefusal,
  isForDatabase,
  type LockAnswer,
  type LockRequest,
  NAMED_SUCCESSOR,
  newClaim,
} from "./claim.ts";
import { Claims } from "./claims.ts";
import { Deadlocks, type StalledHolder } from "./deadlocks.ts";
import type { LockAnswers } from "./lock_answers.ts";
import { isInDatabase, lockIdOf, type LockItem } from "./lock_item.ts";
import { type Lock, lockRefs, Locks } from "./locks.ts";
import { SuccessorRecords, type TransferClaims } from "./successor_records.ts";
import type { Successors } from "./successors.ts";

/** Callbacks of the table for changes. */
export interface LockTableOptions {
  /** The answer of a claim has changed. */
  readonly onAnswer?: (workflow: string, nodeId: string) => void;
  /** A lock was granted. */
  readonly onGranted?: (lock: LockItem) => void;
  /** A claim with locks of a database was removed, so that its rows must be deleted. */
  readonly onReleased?: (claim: Claim) => void;
  /** A lock no longer has holders or waiting claims. */
  readonly onIdle?: (lock: LockItem) => void;
}

/** The numbers of holders and of waiting claims of a lock, for metrics. */
export interface LockSample {
  readonly item: LockItem;
  readonly held: number;
  readonly pending: number;
}

/** A position in a queue, from 1, and the length of the queue. */
export interface QueuePosition {
  readonly position: number;
  readonly length: number;
}

/** Locks that nodes of a workflow transferred to other nodes of it, and that are not yet recorded in its status. */
export interface LockTransfer {
  /** Reverts it: the previous holders have the locks again, and the others wait at their positions. */
  undo(): void;
  /**
   * Counts it as recorded, because the status names the new holders as successors. Only if `wouldGoToNamedSuccessors`
   * is true.
   */
  commit(): void;
}

/** The table. After changes, callers must call `grantAndAnswer`. */
export class LockTable {
  readonly #options: LockTableOptions;
  readonly #locks: Locks;
  readonly #claims = new Claims();
  /** Claims that have not been answered since the last call of `grantAndAnswer`. */
  readonly #unanswered = new Set<Claim>();
  readonly #databaseRequests = new Set<Claim>();
  readonly #deadlocks: Deadlocks;
  /** By workflow, the table's time up to which its status names the holders of the locks that it waits for. */
  readonly #statusTimes = new Map<string, number>();
  readonly #successors: SuccessorRecords;
  #nextOrder = 0;
  /** Whether locks are granted. False until all waiting claims are registered after a restart. */
  isOpen = true;

  constructor(options: LockTableOptions = {}) {
    this.#options = options;
    this.#locks = new Locks(options.onIdle);
    this.#successors = new SuccessorRecords(this.#claims, this.#locks);
    this.#deadlocks = new Deadlocks(this.#claims, this.#locks, (...claim) => options.onAnswer?.(...claim));
  }

  /** Returns the answers to the claims of a workflow, by node ID; undefined when it has no claims. */
  answersOf(workflow: string): LockAnswers | undefined {
    return this.#claims.answersOf(workflow);
  }

  /** Sets the holders of a workflow in which everything waits for locks, by node ID. */
  setStalledHolders(workflow: string, holders: ReadonlyMap<string, StalledHolder>): void {
    this.#deadlocks.setStalled(workflow, holders);
  }

  /** Whether a deadlock may have formed or ended since the last call of `grantAndAnswer`. */
  get needsDeadlockDetection(): boolean {
    return this.#deadlocks.needsDetection;
  }

  /**
   * Returns the messages for nodes of a workflow that wait in a deadlock with other workflows, or behind one, by node
   * ID.
   */
  deadlocksOf(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#deadlocks.messagesOf(workflow);
  }

  /** Returns the same messages for nodes that are in no holder. Computed on demand. */
  deadlocksBehind(workflow: string): ReadonlyMap<string, string> {
    return this.#deadlocks.messagesBehind(this.#claims.claimsOf(workflow));
  }

  /** Returns the holders of the locks that a workflow waits for, by the ID of the lock. */
  holdersFor(workflow: string): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const id of this.#claims.answersOf(workflow)?.waitedFor.keys() ?? []) {
      const lock = this.#locks.get(id);
      const reported = lock && isInDatabase(lock.item) ? this.#reportedHolders(workflow, id) : undefined;
      found.set(id, reported ?? [...lock?.holders.keys() ?? []]);
    }
    return found;
  }

  /** Returns the holders of a lock of a database, as last reported to the first waiting claim of a workflow. */
  #reportedHolders(workflow: string, id: string): readonly string[] | undefined {
    for (const { answer, locks, refusal } of this.#claims.byNode(workflow)?.values() ?? []) {
      if (answer.kind === "waiting" && locks.some((item) => lockIdOf(item) === id)) return refusal?.holders.get(id);
    }
    return undefined;
  }

  /** Returns the positions of a workflow's claims in the queues of the locks that refused them, by node ID. */
  queuePositionsOf(workflow: string): ReadonlyMap<string, QueuePosition> {
    const positions = new Map<string, QueuePosition>();
    for (const [nodeId, claim] of this.#claims.byNode(workflow) ?? []) {
      const { answer } = claim;
      const refused = answer.kind === "waiting" ? claim.locks.find(({ key }) => key === answer.refused) : undefined;
      const queue = refused && this.#locks.get(lockIdOf(refused))?.queue;
      if (queue) positions.set(nodeId, { position: queue.countBefore(claim) + 1, length: queue.size });
    }
    return positions;
  }

  /** Whether the limit of a lock is known. */
  knowsLimit(item: LockItem): boolean {
    return item.source.kind !== "configMap" || this.#locks.get(lockIdOf(item))?.limit !== undefined;
  }

  /** Whether a lock has holders or waiting claims. */
  isUsed(item: LockItem): boolean {
    return this.#locks.get(lockIdOf(item)) !== undefined;
  }

  /** Whether any lock is closed because of an unreadable record. */
  get hasPoison(): boolean {
    return this.#locks.hasPoison;
  }

  /** Whether a workflow has a grant that is not yet recorded in its status. */
  hasUnrecordedGrant(workflow: string): boolean {
    for (const nodeId of this.#claims.answersOf(workflow)?.held.keys() ?? []) {
      if (!this.#claims.get(workflow, nodeId)!.isRecorded) return true;
    }
    return false;
  }

  /** Returns the locks with waiting claims. */
  locksWaitedFor(): LockItem[] {
    return [...this.#locks].filter(({ queue }) => queue.size > 0).map(({ item }) => item);
  }

  /**
   * Returns up to `max` waiting workflows whose last answer names other holders than the current ones, those that are
   * next first.
   */
  workflowsWithOutdatedHolders(max: number): Set<string> {
    const found = new Set<string>();
    for (const { queue } of this.#locks) {
      for (const claim of queue) {
        if (found.size >= max) return found;
        if (claim.answer.kind === "waiting" && this.#isOutdated(claim)) found.add(claim.workflow);
      }
    }
    return found;
  }

  #isOutdated(claim: Claim): boolean {
    return claim.answeredAt === OUTDATED ||
      this.#locks.changedAt(claim) > Math.max(claim.answeredAt, this.#statusTimes.get(claim.workflow) ?? 0);
  }

  /** The time of the table, which advances when the holders of a lock change. */
  get now(): number {
    return this.#locks.now;
  }

  /** Records that the status of a workflow describes the holders at a time of the table. */
  recordStatusTime(workflow: string, time: number): void {
    if (this.#claims.byNode(workflow)) this.#statusTimes.set(workflow, time);
  }

  /** Makes the next call of `grantAndAnswer` answer a waiting workflow again. */
  answerAgain(workflow: string): void {
    for (const claim of this.#claims.byNode(workflow)?.values() ?? []) {
      if (claim.answer.kind !== "waiting") continue;
      claim.answeredAt = this.now;
      this.#unanswered.add(claim);
    }
  }

  /** Yields the samples of all locks. For a lock of a database, only workflows of this controller are counted. */
  *samples(): Generator<LockSample> {
    for (const { item, holders, queue } of this.#locks) {
      yield { item, held: holders.size, pending: queue.size };
    }
  }

  /** Returns all workflows with claims. */
  workflows(): string[] {
    return this.#claims.workflows();
  }

  /** Adds a claim to the queues of all its locks. No-op if it is there already. */
  request(workflow: string, created: string, request: LockRequest): void {
    const before = this.#claims.get(workflow, request.nodeId);
    if (before && before.answer.kind !== "namedSuccessor") return;
    // A successor in a status keeps its position only if it requests exactly the recorded lock.
    const successorPosition = before && isForLocks(before, request.locks)
      ? before.precedence.successorPosition
      : undefined;
    const claim = newClaim(workflow, created, this.#nextOrder++, request, successorPosition);
    this.#claims.put(claim);
    this.#locks.addToQueues(claim);
    this.#unanswered.add(claim);
    if (isForDatabase(claim)) this.#databaseRequests.add(claim);
    if (successorPosition !== undefined) this.#successors.addRestored(claim);
    // Last, because a lock without claims is removed together with its limit.
    if (before) this.#leave(before);
  }

  /** Answers a request for locks with a permanent refusal. */
  refuse(workflow: string, created: string, request: LockRequest, message: string): void {
    const before = this.#claims.get(workflow, request.nodeId);
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#nextOrder++, request);
    this.#claims.put(claim);
    this.#setAnswer(claim, { kind: "failed", message });
  }

  /** Restores a hold that is recorded in a status, even beyond the limit. */
  restore(workflow: string, created: string, request: LockRequest): void {
    const before = this.#claims.get(workflow, request.nodeId);
    if (before?.answer.kind === "held") {
      before.isRecorded = true;
      return;
    }
    // From now on, rows of a database belong to the hold.
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#nextOrder++, request);
    this.#claims.put(claim);
    claim.isRecorded = true;
    this.#hold(claim);
  }

  /** Records that the holds of these nodes, and their successors, are in the status. */
  recordHolds(workflow: string, nodeIds: Iterable<string>, successors: Successors = new Map()): void {
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held") continue;
      claim.isRecorded = true;
      claim.isUnrecordedSuccessor = false;
    }
    this.#successors.setNamed(workflow, successors);
  }

  /** Removes the recorded successors of a workflow, because its status may name others now. */
  forgetSuccessors(workflow: string): void {
    this.#successors.removeNamed(workflow);
  }

  /** Restores a node that the status of its workflow names as a successor for a lock, at a position from 0. */
  restoreSuccessor(workflow: string, created: string, request: LockRequest, position: number): void {
    if (this.#claims.get(workflow, request.nodeId)) return;
    const claim = newClaim(workflow, created, this.#nextOrder++, request, position);
    claim.answer = NAMED_SUCCESSOR;
    this.#claims.put(claim);
    this.#locks.addToQueues(claim);
    this.#successors.addRestored(claim);
  }

  /**
   * Returns the nodes of a workflow that are next for locks which other nodes of it hold, if no other workflow's claims
   * come between. When the status names them, they may get the lock without being recorded first. Up to a few per
   * holder. Successors named before a restart stay named until they have their lock, because the previous process may
   * have granted it.
   */
  successorsOf(workflow: string): Successors {
    return this.#successors.successorsOf(workflow, this.isOpen);
  }

  /** Whether a node has its lock as a successor in the status, which does not record it as a holder yet. */
  isUnrecordedSuccessor(workflow: string, nodeId: string): boolean {
    return this.#claims.get(workflow, nodeId)?.isUnrecordedSuccessor === true;
  }

  /** Whether a lock has fewer named successors than holders of the workflow, although more could be named. */
  needsMoreSuccessors(workflow: string): boolean {
    return this.#successors.needsMoreSuccessors(workflow, this.isOpen);
  }

  /** Removes everything of a workflow that is not recorded in its status: unrecorded grants and waiting claims. */
  discardUnrecorded(workflow: string): void {
    for (const { nodeId, answer, isRecorded } of this.#claims.claimsOf(workflow)) {
      if (answer.kind !== "held" || !isRecorded) this.release(workflow, nodeId);
    }
  }

  /** Removes the claim of a node, which releases its locks. Returns whether it had a claim. */
  release(workflow: string, nodeId: string): boolean {
    const claim = this.#claims.get(workflow, nodeId);
    if (!claim) return false;
    this.#remove(claim);
    this.#options.onAnswer?.(workflow, nodeId);
    if (isForDatabase(claim)) this.#options.onReleased?.(claim);
    return true;
  }

  /** Whether all locks of these nodes would go to other nodes of their workflow. */
  mayTransfer(workflow: string, nodeIds: readonly string[]): boolean {
    return this.#findTransfer(workflow, nodeIds) !== undefined;
  }

  /**
   * Whether all locks of these nodes would go to the successors in the status of their workflow, in that order. A table
   * that is rebuilt from the status grants them in the same way.
   */
  wouldGoToNamedSuccessors(workflow: string, nodeIds: readonly string[]): boolean {
    const transfer = this.#findTransfer(workflow, nodeIds);
    return transfer !== undefined && this.#successors.areNamed(workflow, transfer.receiving);
  }

  /**
   * Passes all locks of these nodes to the next nodes of their workflow, so that one write of its status records both.
   * Undefined if another workflow would get some of the locks: the release must then be recorded first.
   */
  transfer(workflow: string, nodeIds: readonly string[]): LockTransfer | undefined {
    return this.#transfer(workflow, this.#findTransfer(workflow, nodeIds));
  }

  /**
   * Passes the locks of these nodes to the successors that the status named before a restart. They may run with the
   * locks already, so one write must record both. Undefined if no successors were named.
   */
  transferToRestored(workflow: string, nodeIds: readonly string[]): LockTransfer | undefined {
    return this.#transfer(workflow, this.#successors.findTransferToRestored(workflow, nodeIds));
  }

  #findTransfer(workflow: string, nodeIds: readonly string[]): TransferClaims | undefined {
    return this.isOpen ? this.#successors.findTransfer(workflow, nodeIds) : undefined;
  }

  #transfer(workflow: string, claims: TransferClaims | undefined): LockTransfer | undefined {
    if (!claims) return undefined;
    const { releasing, receiving } = claims;
    for (const { nodeId } of releasing) this.release(workflow, nodeId);
    for (const claim of receiving) this.#grant(claim);
    return {
      undo: () => this.#undoTransfer(receiving, releasing),
      commit: () => this.#successors.recordTransfer(workflow, receiving),
    };
  }

  #undoTransfer(followers: readonly Claim[], leaving: readonly Claim[]): void {
    const unrecorded = followers.filter((claim) => this.#claims.has(claim) && !claim.isRecorded);
    // The workflow is completed or deleted, and no longer has claims.
    if (unrecorded.length === 0) return;
    for (const claim of unrecorded) this.#locks.removeClaim(claim);
    for (const claim of leaving) {
      const newer = this.#claims.get(claim.workflow, claim.nodeId);
      if (newer) this.#remove(newer);
      this.#claims.put(claim);
      this.#locks.addHolder(claim);
      this.#options.onAnswer?.(claim.workflow, claim.nodeId);
    }
    for (const claim of unrecorded) {
      this.#locks.addToQueues(claim);
      if (claim.precedence.successorPosition !== undefined) this.#successors.addRestored(claim);
      this.#setAnswer(claim, this.#locks.refusalOf(claim));
    }
  }

  #remove(claim: Claim): void {
    this.#claims.delete(claim);
    this.#deadlocks.remove(claim);
    if (!this.#claims.byNode(claim.workflow)) {
      this.#statusTimes.delete(claim.workflow);
      this.#successors.removeNamed(claim.workflow);
    }
    this.#leave(claim);
  }

  /** Removes a claim from all locks and queues. */
  #leave(claim: Claim): void {
    this.#successors.removeRestored(claim);
    this.#unanswered.delete(claim);
    this.#databaseRequests.delete(claim);
    this.#locks.removeClaim(claim);
    this.#locks.removeIdle(claim.locks);
  }

  /** Yields the claims with locks of a database, holding or waiting. */
  *databaseClaims(): Generator<Claim> {
    for (const claim of this.#claims) if (isForDatabase(claim)) yield claim;
  }

  /** Takes a claim's locks away: the workflow's status records them, but the database does not. */
  markLost(claim: Claim, message: string): void {
    if (!this.#claims.has(claim) || claim.answer.kind !== "held") return;
    this.#locks.removeClaim(claim);
    this.#setAnswer(claim, { kind: "lost", message });
  }

  /** Whether some claim waits for a decision of the database. */
  get hasDatabaseRequests(): boolean {
    return this.#databaseRequests.size > 0;
  }

  /** Removes all claims of a workflow. */
  releaseAll(workflow: string): void {
    for (const { nodeId } of this.#claims.claimsOf(workflow)) this.release(workflow, nodeId);
    this.removePoison(workflow);
  }

  /** Removes all waiting claims of a workflow. */
  releaseWaiting(workflow: string): void {
    for (const claim of this.#claims.claimsOf(workflow)) {
      if (claim.answer.kind !== "held") this.release(workflow, claim.nodeId);
    }
  }

  /** Sets the limit of a lock. Waiting claims are answered again. */
  setLimit(item: LockItem, limit: number): void {
    const lock = this.#locks.get(lockIdOf(item));
    if (!lock || lock.limit === limit) return;
    const isFirst = lock.limit === undefined;
    lock.limit = limit;
    this.#locks.changed.add(lockIdOf(item));
    if (!isFirst) { for (const claim of lock.queue) this.#unanswered.add(claim); }
  }

  /** Closes a lock as long as the status of a workflow has an unreadable record of it. */
  poison(item: LockItem, workflow: string, reason: string): void {
    this.#locks.poison(item, workflow, reason);
  }

  /** Reopens locks that were closed because of a workflow, whose status is readable now, or gone. */
  removePoison(workflow: string): void {
    for (const claim of this.#locks.removePoison(workflow)) this.#unanswered.add(claim);
  }

  /** Grants what can be granted, and answers waiting claims. */
  grantAndAnswer(): void {
    if (!this.isOpen) return;
    // The set grows during the iteration.
    for (const id of this.#locks.changed) {
      const lock = this.#locks.get(id);
      if (lock) this.#grantFront(lock);
      this.#deadlocks.noteLockChange(id);
      this.#locks.changed.delete(id);
    }
    for (const claim of this.#unanswered) {
      if (claim.answer.kind !== "held" && !this.#awaitsDatabase(claim)) {
        this.#setAnswer(claim, this.#locks.refusalOf(claim));
      }
    }
    this.#unanswered.clear();
    this.#deadlocks.detect();
  }

  /**
   * Returns the claims that have all their locks except those of a database, which the caller requests. The caller must
   * call `databaseGranted` or `databaseRefused` for each. Until then, nobody else gets their other locks.
   */
  takeDatabaseRequests(): Claim[] {
    if (!this.isOpen) return [];
    const found = [...this.#databaseRequests].filter((claim) => this.#locks.canGrant(claim));
    for (const claim of found) this.#databaseRequests.delete(claim);
    return found;
  }

  /** Returns the claim of a node; undefined when it has no claim. */
  claimOf(workflow: string, nodeId: string): Claim | undefined {
    return this.#claims.get(workflow, nodeId);
  }

  /**
   * Grants a claim after the database granted its locks. False if the claim is gone or has lost its position: the
   * caller must then release the rows.
   */
  databaseGranted(claim: Claim): boolean {
    if (!this.#claims.has(claim) || !this.#locks.canGrant(claim)) return false;
    claim.refusal = undefined;
    this.#grant(claim);
    return true;
  }

  /** Records the answer of a database that did not grant a claim. `retryDatabaseRequests` repeats the request. */
  databaseRefused(
    claim: Claim,
    answer: DatabaseRefusal | { readonly trouble: string } | { readonly failed: string },
  ): void {
    if (!this.#claims.has(claim)) return;
    if ("failed" in answer) {
      this.#locks.removeClaim(claim);
      return this.#setAnswer(claim, { kind: "failed", message: answer.failed });
    }
    if ("trouble" in answer) {
      if (claim.answer.kind === "waiting") this.#locks.markDatabaseLocksChanged(claim);
      return this.#setAnswer(claim, { kind: "temporaryError", message: answer.trouble });
    }
    const isDifferent = claim.refusal?.isFull !== answer.isFull || holdersOf(claim.refusal) !== holdersOf(answer);
    if (isDifferent || claim.answer.kind !== "waiting") this.#locks.markDatabaseLocksChanged(claim);
    const hasNewHolders = claim.refusal !== undefined && holdersOf(claim.refusal) !== holdersOf(answer);
    claim.refusal = answer;
    const { refused, isFull, message } = answer;
    this.#setAnswer(claim, { kind: "waiting", locks: lockRefs(claim), refused, isFull, message });
    if (hasNewHolders) claim.answeredAt = OUTDATED;
  }

  /** Repeats the requests to the database for all claims that wait for its locks. */
  retryDatabaseRequests(): void {
    for (const claim of this.databaseClaims()) {
      const { kind } = claim.answer;
      if (kind === "undecided" || kind === "waiting" || kind === "temporaryError") this.#databaseRequests.add(claim);
    }
  }

  /** Grants a lock to the claims at its front, up to its limit. */
  #grantFront({ holders, queue, limit }: Lock): void {
    const hasRoom = () => limit !== undefined && holders.size < limit;
    let first = queue.at(0)?.workflow;
    for (let index = 0; hasRoom();) {
      const claim = queue.at(index);
      if (!claim) return;
      // Nodes of the workflow at the front may overtake each other, but no other claims.
      if (claim.workflow !== queue.at(0)!.workflow && index > 0) return;
      if (!isForDatabase(claim) && this.#locks.canGrant(claim)) {
        this.#grant(claim);
        if (queue.at(0)?.workflow !== first) index = 0;
        first = queue.at(0)?.workflow;
      } else if (queue.at(index) === claim) index++;
    }
  }

  #grant(claim: Claim): void {
    this.#locks.removeFromQueues(claim);
    for (const item of claim.locks) this.#options.onGranted?.(item);
    claim.isRecorded = claim.isUnrecordedSuccessor = false;
    this.#hold(claim);
  }

  #hold(claim: Claim): void {
    this.#locks.addHolder(claim);
    this.#successors.removeRestored(claim);
    this.#setAnswer(claim, { kind: "held", locks: lockRefs(claim) });
  }

  #awaitsDatabase(claim: Claim): boolean {
    return isForDatabase(claim) && this.#locks.canGrant(claim);
  }

  #setAnswer(claim: Claim, answer: LockAnswer): void {
    const { answer: before } = claim;
    const isSame = before.kind === answer.kind && (answer.kind === "waiting" || answer.kind === "temporaryError") &&
      "message" in before && before.message === answer.message;
    if (answer.kind === "waiting") claim.answeredAt = this.now;
    if (isSame || before === answer) return;
    this.#claims.setAnswer(claim, answer);
    this.#options.onAnswer?.(claim.workflow, claim.nodeId);
  }
}

/** A time before all others. */
const OUTDATED = -1;

function holdersOf({ holders }: DatabaseRefusal): string {
  return JSON.stringify([...holders]);
}

/** Whether a claim is for exactly these locks. */
function isForLocks(claim: Claim, locks: readonly LockItem[]): boolean {
  return claim.locks.length === locks.length &&
    locks.every((item, index) => lockIdOf(item) === lockIdOf(claim.locks[index]!));
}
