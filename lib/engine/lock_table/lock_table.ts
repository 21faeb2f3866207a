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
  type LockAsk,
  NAMED,
  newClaim,
} from "./claim.ts";
import { Claims } from "./claims.ts";
import { Deadlocks, type StalledHolder } from "./deadlocks.ts";
import type { LockAnswers } from "./lock_answers.ts";
import { idOf, isInDatabase, type LockItem } from "./lock_item.ts";
import { type Lock, Locks, refsOf } from "./locks.ts";
import { type Passing, Succession } from "./succession.ts";
import type { Successors } from "./successors.ts";

/** Callbacks of the table for changes. */
export interface LockTableOptions {
  /** The answer of a claim has changed. */
  readonly onAnswer?: (workflow: string, nodeId: string) => void;
  /** A lock was granted. */
  readonly onTaken?: (lock: LockItem) => void;
  /** A claim with locks of a database was removed, so that its rows must be deleted. */
  readonly onLeft?: (claim: Claim) => void;
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
export interface QueuePlace {
  readonly place: number;
  readonly of: number;
}

/** Locks that nodes of a workflow passed to other nodes of it, and that are not yet recorded in its status. */
export interface HandOver {
  /** Reverts it: the previous holders have the locks again, and the others wait at their positions. */
  undo(): void;
  /** Counts it as recorded, because the status names the new holders as successors. Only if `isNamed` is true. */
  keep(): void;
}

/** The table. After changes, callers must call `settle`. */
export class LockTable {
  readonly #options: LockTableOptions;
  readonly #locks: Locks;
  readonly #claims = new Claims();
  /** Claims that have not been answered since the table was last settled. */
  readonly #untold = new Set<Claim>();
  readonly #trials = new Set<Claim>();
  readonly #deadlocks: Deadlocks;
  /**
   * The times of the table up to which the statuses of workflows describe the holders of the locks that they wait for.
   */
  readonly #told = new Map<string, number>();
  readonly #succession: Succession;
  #orders = 0;
  /** Whether locks are granted. False until all waiting claims are registered after a restart. */
  isOpen = true;

  constructor(options: LockTableOptions = {}) {
    this.#options = options;
    this.#locks = new Locks(options.onIdle);
    this.#succession = new Succession(this.#claims, this.#locks);
    this.#deadlocks = new Deadlocks(this.#claims, this.#locks, (...claim) => options.onAnswer?.(...claim));
  }

  /** Returns the answers to the claims of a workflow, by node ID; undefined when it has no claims. */
  answersOf(workflow: string): LockAnswers | undefined {
    return this.#claims.answersOf(workflow);
  }

  /** Sets the holders of a workflow in which everything waits for locks, by node ID. */
  stalled(workflow: string, holders: ReadonlyMap<string, StalledHolder>): void {
    this.#deadlocks.report(workflow, holders);
  }

  /** Whether a deadlock may have formed or ended since the last call of `settle`. */
  get hasToLook(): boolean {
    return this.#deadlocks.hasToLook;
  }

  /**
   * Returns the messages for nodes of a workflow that wait in a deadlock with other workflows, or behind one, by node
   * ID.
   */
  deadlocksOf(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#deadlocks.of(workflow);
  }

  /** Returns the same messages for nodes that are in no holder. Computed on demand. */
  deadlocksBehind(workflow: string): ReadonlyMap<string, string> {
    return this.#deadlocks.behind(this.#claims.of(workflow));
  }

  /** Returns the holders of the locks that a workflow waits for, by the ID of the lock. */
  holdersFor(workflow: string): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const id of this.#claims.answersOf(workflow)?.waitedFor.keys() ?? []) {
      const lock = this.#locks.get(id);
      const told = lock && isInDatabase(lock.item) ? this.#toldHolders(workflow, id) : undefined;
      found.set(id, told ?? [...lock?.holders.keys() ?? []]);
    }
    return found;
  }

  /** Returns the holders of a lock of a database, as last reported to the first waiting claim of a workflow. */
  #toldHolders(workflow: string, id: string): readonly string[] | undefined {
    for (const { answer, locks, refusal } of this.#claims.byNode(workflow)?.values() ?? []) {
      if (answer.kind === "waiting" && locks.some((item) => idOf(item) === id)) return refusal?.holders.get(id);
    }
    return undefined;
  }

  /** Returns the positions of a workflow's claims in the queues of the locks that refused them, by node ID. */
  placesOf(workflow: string): ReadonlyMap<string, QueuePlace> {
    const places = new Map<string, QueuePlace>();
    for (const [nodeId, claim] of this.#claims.byNode(workflow) ?? []) {
      const { answer } = claim;
      const refused = answer.kind === "waiting" ? claim.locks.find(({ key }) => key === answer.refused) : undefined;
      const queue = refused && this.#locks.get(idOf(refused))?.queue;
      if (queue) places.set(nodeId, { place: queue.countBefore(claim) + 1, of: queue.size });
    }
    return places;
  }

  /** Whether the limit of a lock is known. */
  knowsLimit(item: LockItem): boolean {
    return item.source.kind !== "configMap" || this.#locks.get(idOf(item))?.limit !== undefined;
  }

  /** Whether a lock has holders or waiting claims. */
  isUsed(item: LockItem): boolean {
    return this.#locks.get(idOf(item)) !== undefined;
  }

  /** Whether any lock is closed because of an unreadable record. */
  get hasPoison(): boolean {
    return this.#locks.hasPoison;
  }

  /** Whether a workflow has a grant that is not yet recorded in its status. */
  isUnwritten(workflow: string): boolean {
    for (const nodeId of this.#claims.answersOf(workflow)?.held.keys() ?? []) {
      if (!this.#claims.get(workflow, nodeId)!.isWritten) return true;
    }
    return false;
  }

  /** Returns the locks with waiting claims. */
  waitedFor(): LockItem[] {
    return [...this.#locks].filter(({ queue }) => queue.size > 0).map(({ item }) => item);
  }

  /**
   * Returns up to `most` waiting workflows whose last answer names other holders than the current ones, those that are next
   * first.
   */
  outdated(most: number): Set<string> {
    const found = new Set<string>();
    for (const { queue } of this.#locks) {
      for (const claim of queue) {
        if (found.size >= most) return found;
        if (claim.answer.kind === "waiting" && this.#isOutdated(claim)) found.add(claim.workflow);
      }
    }
    return found;
  }

  #isOutdated(claim: Claim): boolean {
    return claim.told === OUTDATED ||
      this.#locks.changedAt(claim) > Math.max(claim.told, this.#told.get(claim.workflow) ?? 0);
  }

  /** The time of the table, which advances when the holders of a lock change. */
  get now(): number {
    return this.#locks.now;
  }

  /** Records that the status of a workflow describes the holders at a time of the table. */
  told(workflow: string, moment: number): void {
    if (this.#claims.byNode(workflow)) this.#told.set(workflow, moment);
  }

  /** Makes the next call of `settle` answer a waiting workflow again. */
  tellAnew(workflow: string): void {
    for (const claim of this.#claims.byNode(workflow)?.values() ?? []) {
      if (claim.answer.kind !== "waiting") continue;
      claim.told = this.now;
      this.#untold.add(claim);
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
  ask(workflow: string, created: string, ask: LockAsk): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before && before.answer.kind !== "named") return;
    // A successor in a status keeps its position only if it requests exactly the recorded lock.
    const succession = before && isForThese(before, ask.locks) ? before.precedence.succession : undefined;
    const claim = newClaim(workflow, created, this.#orders++, ask, succession);
    this.#claims.put(claim);
    this.#locks.queue(claim);
    this.#untold.add(claim);
    if (isForDatabase(claim)) this.#trials.add(claim);
    if (succession !== undefined) this.#succession.addHeir(claim);
    // Last, because a lock without claims is removed together with its limit.
    if (before) this.#leave(before);
  }

  /** Answers a request for locks with a permanent refusal. */
  refuse(workflow: string, created: string, ask: LockAsk, message: string): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#orders++, ask);
    this.#claims.put(claim);
    this.#tell(claim, { kind: "failed", message });
  }

  /** Restores a hold that is recorded in a status, even beyond the limit. */
  restore(workflow: string, created: string, ask: LockAsk): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before?.answer.kind === "held") {
      before.isWritten = true;
      return;
    }
    // From now on, rows of a database belong to the hold.
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#orders++, ask);
    this.#claims.put(claim);
    claim.isWritten = true;
    this.#take(claim);
  }

  /** Records that the holds of these nodes, and their successors, are in the status. */
  written(workflow: string, nodeIds: Iterable<string>, successors: Successors = new Map()): void {
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held") continue;
      claim.isWritten = true;
      claim.isAhead = false;
    }
    this.#succession.name(workflow, successors);
  }

  /** Removes the recorded successors of a workflow, because its status may name others now. */
  forgetSuccessors(workflow: string): void {
    this.#succession.forget(workflow);
  }

  /** Restores a node that the status of its workflow names as a successor for a lock, at a position from 0. */
  restoreSuccessor(workflow: string, created: string, ask: LockAsk, place: number): void {
    if (this.#claims.get(workflow, ask.nodeId)) return;
    const claim = newClaim(workflow, created, this.#orders++, ask, place);
    claim.answer = NAMED;
    this.#claims.put(claim);
    this.#locks.queue(claim);
    this.#succession.addHeir(claim);
  }

  /**
   * Returns the nodes of a workflow that are next for locks which other nodes of it hold, if no other workflow's claims
   * come between. When the status names them, they may get the lock without being recorded first. Up to a few per
   * holder. Successors named before a restart stay named until they have their lock, because the previous process may
   * have granted it.
   */
  successorsOf(workflow: string): Successors {
    return this.#succession.of(workflow, this.isOpen);
  }

  /** Whether a node has its lock as a successor in the status, which does not record it as a holder yet. */
  isAhead(workflow: string, nodeId: string): boolean {
    return this.#claims.get(workflow, nodeId)?.isAhead === true;
  }

  /** Whether a lock has fewer named successors than places of the workflow, although more could be named. */
  runsShort(workflow: string): boolean {
    return this.#succession.runsShort(workflow, this.isOpen);
  }

  /** Removes everything of a workflow that is not recorded in its status: unrecorded grants and waiting claims. */
  takeBack(workflow: string): void {
    for (const { nodeId, answer, isWritten } of this.#claims.of(workflow)) {
      if (answer.kind !== "held" || !isWritten) this.release(workflow, nodeId);
    }
  }

  /** Removes the claim of a node, which releases its locks. Returns whether it had a claim. */
  release(workflow: string, nodeId: string): boolean {
    const claim = this.#claims.get(workflow, nodeId);
    if (!claim) return false;
    this.#remove(claim);
    this.#options.onAnswer?.(workflow, nodeId);
    if (isForDatabase(claim)) this.#options.onLeft?.(claim);
    return true;
  }

  /** Whether all locks of these nodes would go to other nodes of their workflow. */
  mayHandOver(workflow: string, nodeIds: readonly string[]): boolean {
    return this.#followers(workflow, nodeIds) !== undefined;
  }

  /**
   * Whether all locks of these nodes would go to the successors in the status of their workflow, in that order. A table
   * that is rebuilt from the status grants them in the same way.
   */
  isNamed(workflow: string, nodeIds: readonly string[]): boolean {
    const passing = this.#followers(workflow, nodeIds);
    return passing !== undefined && this.#succession.areNamed(workflow, passing.followers);
  }

  /**
   * Passes all locks of these nodes to the next nodes of their workflow, so that one write of its status records both.
   * Undefined if another workflow would get some of the locks: the release must then be recorded first.
   */
  handOver(workflow: string, nodeIds: readonly string[]): HandOver | undefined {
    return this.#pass(workflow, this.#followers(workflow, nodeIds));
  }

  /**
   * Passes the locks of these nodes to the successors that the status named before a restart. They may run with the
   * locks already, so one write must record both. Undefined if no successors were named.
   */
  inherit(workflow: string, nodeIds: readonly string[]): HandOver | undefined {
    return this.#pass(workflow, this.#succession.heirsTo(workflow, nodeIds));
  }

  #followers(workflow: string, nodeIds: readonly string[]): Passing | undefined {
    return this.isOpen ? this.#succession.followers(workflow, nodeIds) : undefined;
  }

  #pass(workflow: string, passing: Passing | undefined): HandOver | undefined {
    if (!passing) return undefined;
    const { leaving, followers } = passing;
    for (const { nodeId } of leaving) this.release(workflow, nodeId);
    for (const claim of followers) this.#grant(claim);
    return {
      undo: () => this.#takeBackFrom(followers, leaving),
      keep: () => this.#succession.succeed(workflow, followers),
    };
  }

  #takeBackFrom(followers: readonly Claim[], leaving: readonly Claim[]): void {
    const open = followers.filter((claim) => this.#claims.has(claim) && !claim.isWritten);
    // The workflow is completed or deleted, and no longer has claims.
    if (open.length === 0) return;
    for (const claim of open) this.#locks.leave(claim);
    for (const claim of leaving) {
      const anew = this.#claims.get(claim.workflow, claim.nodeId);
      if (anew) this.#remove(anew);
      this.#claims.put(claim);
      this.#locks.take(claim);
      this.#options.onAnswer?.(claim.workflow, claim.nodeId);
    }
    for (const claim of open) {
      this.#locks.queue(claim);
      if (claim.precedence.succession !== undefined) this.#succession.addHeir(claim);
      this.#tell(claim, this.#locks.refusalOf(claim));
    }
  }

  #remove(claim: Claim): void {
    this.#claims.delete(claim);
    this.#deadlocks.forget(claim);
    if (!this.#claims.byNode(claim.workflow)) {
      this.#told.delete(claim.workflow);
      this.#succession.forget(claim.workflow);
    }
    this.#leave(claim);
  }

  /** Removes a claim from all locks and queues. */
  #leave(claim: Claim): void {
    this.#succession.removeHeir(claim);
    this.#untold.delete(claim);
    this.#trials.delete(claim);
    this.#locks.leave(claim);
    this.#locks.forgetIdle(claim.locks);
  }

  /** Yields the claims with locks of a database, holding or waiting. */
  *databaseClaims(): Generator<Claim> {
    for (const claim of this.#claims) if (isForDatabase(claim)) yield claim;
  }

  /** Takes a claim's locks away: the workflow's status records them, but the database does not. */
  lost(claim: Claim, message: string): void {
    if (!this.#claims.has(claim) || claim.answer.kind !== "held") return;
    this.#locks.leave(claim);
    this.#tell(claim, { kind: "lost", message });
  }

  /** Whether some claim waits for a decision of the database. */
  get hasTrials(): boolean {
    return this.#trials.size > 0;
  }

  /** Removes all claims of a workflow. */
  releaseAll(workflow: string): void {
    for (const { nodeId } of this.#claims.of(workflow)) this.release(workflow, nodeId);
    this.cleanse(workflow);
  }

  /** Removes all waiting claims of a workflow. */
  releaseWaiting(workflow: string): void {
    for (const claim of this.#claims.of(workflow)) {
      if (claim.answer.kind !== "held") this.release(workflow, claim.nodeId);
    }
  }

  /** Sets the limit of a lock. Waiting claims are answered again. */
  setLimit(item: LockItem, limit: number): void {
    const lock = this.#locks.get(idOf(item));
    if (!lock || lock.limit === limit) return;
    const isFirst = lock.limit === undefined;
    lock.limit = limit;
    this.#locks.changed.add(idOf(item));
    if (!isFirst) { for (const claim of lock.queue) this.#untold.add(claim); }
  }

  /** Closes a lock as long as the status of a workflow has an unreadable record of it. */
  poison(item: LockItem, workflow: string, reason: string): void {
    this.#locks.poison(item, workflow, reason);
  }

  /** Reopens locks that were closed because of a workflow, whose status is readable now, or gone. */
  cleanse(workflow: string): void {
    for (const claim of this.#locks.cleanse(workflow)) this.#untold.add(claim);
  }

  /** Grants what can be granted, and answers waiting claims. */
  settle(): void {
    if (!this.isOpen) return;
    // The set grows during the iteration.
    for (const id of this.#locks.changed) {
      const lock = this.#locks.get(id);
      if (lock) this.#grantFront(lock);
      this.#deadlocks.changed(id);
      this.#locks.changed.delete(id);
    }
    for (const claim of this.#untold) {
      if (claim.answer.kind !== "held" && !this.#isOnTrial(claim)) this.#tell(claim, this.#locks.refusalOf(claim));
    }
    this.#untold.clear();
    this.#deadlocks.look();
  }

  /**
   * Returns the claims that have all their locks except those of a database, which the caller requests. The caller must
   * call `succeeded` or `failed` for each. Until then, nobody else gets their other locks.
   */
  takeTrials(): Claim[] {
    if (!this.isOpen) return [];
    const found = [...this.#trials].filter((claim) => this.#locks.mayHaveAll(claim));
    for (const claim of found) this.#trials.delete(claim);
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
  succeeded(claim: Claim): boolean {
    if (!this.#claims.has(claim) || !this.#locks.mayHaveAll(claim)) return false;
    claim.refusal = undefined;
    this.#grant(claim);
    return true;
  }

  /** Records the answer of a database that did not grant a claim. `tryAgain` repeats the request. */
  failed(claim: Claim, answer: DatabaseRefusal | { readonly trouble: string } | { readonly failed: string }): void {
    if (!this.#claims.has(claim)) return;
    if ("failed" in answer) {
      this.#locks.leave(claim);
      return this.#tell(claim, { kind: "failed", message: answer.failed });
    }
    if ("trouble" in answer) {
      if (claim.answer.kind === "waiting") this.#locks.heardOfDatabase(claim);
      return this.#tell(claim, { kind: "trouble", message: answer.trouble });
    }
    const isOther = claim.refusal?.isFull !== answer.isFull || holdersOf(claim.refusal) !== holdersOf(answer);
    if (isOther || claim.answer.kind !== "waiting") this.#locks.heardOfDatabase(claim);
    const hasNewHolders = claim.refusal !== undefined && holdersOf(claim.refusal) !== holdersOf(answer);
    claim.refusal = answer;
    const { refused, isFull, message } = answer;
    this.#tell(claim, { kind: "waiting", locks: refsOf(claim), refused, isFull, message });
    if (hasNewHolders) claim.told = OUTDATED;
  }

  /** Repeats the requests to the database for all claims that wait for its locks. */
  tryAgain(): void {
    for (const claim of this.databaseClaims()) {
      const { kind } = claim.answer;
      if (kind === "heard" || kind === "waiting" || kind === "trouble") this.#trials.add(claim);
    }
  }

  /** Grants a lock to the claims at its front, up to its limit. */
  #grantFront({ holders, queue, limit }: Lock): void {
    const hasRoom = () => limit !== undefined && holders.size < limit;
    let first = queue.at(0)?.workflow;
    for (let place = 0; hasRoom();) {
      const claim = queue.at(place);
      if (!claim) return;
      // Nodes of the workflow at the front may overtake each other, but no other claims.
      if (claim.workflow !== queue.at(0)!.workflow && place > 0) return;
      if (!isForDatabase(claim) && this.#locks.mayHaveAll(claim)) {
        this.#grant(claim);
        if (queue.at(0)?.workflow !== first) place = 0;
        first = queue.at(0)?.workflow;
      } else if (queue.at(place) === claim) place++;
    }
  }

  #grant(claim: Claim): void {
    this.#locks.unqueue(claim);
    for (const item of claim.locks) this.#options.onTaken?.(item);
    claim.isWritten = claim.isAhead = false;
    this.#take(claim);
  }

  #take(claim: Claim): void {
    this.#locks.take(claim);
    this.#succession.removeHeir(claim);
    this.#tell(claim, { kind: "held", locks: refsOf(claim) });
  }

  #isOnTrial(claim: Claim): boolean {
    return isForDatabase(claim) && this.#locks.mayHaveAll(claim);
  }

  #tell(claim: Claim, answer: LockAnswer): void {
    const { answer: before } = claim;
    const isSame = before.kind === answer.kind && (answer.kind === "waiting" || answer.kind === "trouble") &&
      "message" in before && before.message === answer.message;
    if (answer.kind === "waiting") claim.told = this.now;
    if (isSame || before === answer) return;
    this.#claims.answer(claim, answer);
    this.#options.onAnswer?.(claim.workflow, claim.nodeId);
  }
}

/** A time before all others. */
const OUTDATED = -1;

function holdersOf({ holders }: DatabaseRefusal): string {
  return JSON.stringify([...holders]);
}

/** Whether a claim is for exactly these locks. */
function isForThese(claim: Claim, locks: readonly LockItem[]): boolean {
  return claim.locks.length === locks.length && locks.every((item, index) => idOf(item) === idOf(claim.locks[index]!));
}
