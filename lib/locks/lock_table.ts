/**
 * The table of locks: who holds which, who waits, and who is next. All or nothing: a claim is granted when it is at the
 * front of every queue it stands in and every lock has room, and then has all of them. As the order is the same in every
 * queue, the first of all can always go on as soon as there is room: nobody starves, and no two wait for each other.
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
import { Deadlocks, type Stalled } from "./deadlocks.ts";
import type { LockAnswers } from "./lock_answers.ts";
import { idOf, isInDatabase, type LockItem } from "./lock_item.ts";
import { type Lock, Locks, refsOf } from "./locks.ts";
import { type Passing, Succession } from "./succession.ts";
import type { Successors } from "./successors.ts";

/** The listeners that the table tells of changes. */
export interface LockTableOptions {
  /** A claim has another answer. */
  readonly onAnswer?: (workflow: string, nodeId: string) => void;
  /** A lock was granted. */
  readonly onTaken?: (lock: LockItem) => void;
  /** A claim to locks of a database is gone, with what it had or waited for: its rows are to go. */
  readonly onLeft?: (claim: Claim) => void;
  /** Told of a lock that nobody holds or waits for any more. */
  readonly onIdle?: (lock: LockItem) => void;
}

/** The numbers of holders and of waiting claims of a lock, for metrics. */
export interface LockSample {
  readonly item: LockItem;
  readonly held: number;
  readonly pending: number;
}

/** A place in a queue, from 1, and how many stand in it. */
export interface QueuePlace {
  readonly place: number;
  readonly of: number;
}

/** Locks that went from nodes of a workflow to others of the same one, and are not known to be written there. */
export interface HandOver {
  /** Takes it back: the nodes that had them have them, and the others wait in their places. */
  undo(): void;
  /** It counts as written: the status names those who have them now as the next holders. For what `isNamed` answers true. */
  keep(): void;
}

/** The table. Who changes something calls `settle` then. */
export class LockTable {
  readonly #options: LockTableOptions;
  readonly #locks: Locks;
  readonly #claims = new Claims();
  /** Claims that were told nothing yet since the table was settled. */
  readonly #untold = new Set<Claim>();
  readonly #trials = new Set<Claim>();
  readonly #deadlocks: Deadlocks;
  /** The moments up to which the statuses of workflows say who holds what they wait for. */
  readonly #told = new Map<string, number>();
  readonly #succession: Succession;
  #orders = 0;
  /** Whether locks are granted: not before all who waited are heard. */
  isOpen = true;

  constructor(options: LockTableOptions = {}) {
    this.#options = options;
    this.#locks = new Locks(options.onIdle);
    this.#succession = new Succession(this.#claims, this.#locks);
    this.#deadlocks = new Deadlocks(this.#claims, this.#locks, (...claim) => options.onAnswer?.(...claim));
  }

  /** The answers to the claims of a workflow, by node ID; undefined when it has none. */
  answersOf(workflow: string): LockAnswers | undefined {
    return this.#claims.answersOf(workflow);
  }

  /** Notes all holders of a workflow in which nothing goes on but waiting for locks, by node ID. */
  stalled(workflow: string, holders: ReadonlyMap<string, Stalled>): void {
    this.#deadlocks.report(workflow, holders);
  }

  /** Whether somebody may have come into a deadlock, or out of one, since the table was settled. */
  get hasToLook(): boolean {
    return this.#deadlocks.hasToLook;
  }

  /** The nodes of a workflow that wait in a deadlock with other workflows, or behind one, and how that is told of each. */
  deadlocksOf(workflow: string): ReadonlyMap<string, string> | undefined {
    return this.#deadlocks.of(workflow);
  }

  /** The same for those who are in no holder, and so say nothing of it: looked for when somebody asks. */
  deadlocksBehind(workflow: string): ReadonlyMap<string, string> {
    return this.#deadlocks.behind(this.#claims.of(workflow));
  }

  /** The holders of the locks that a workflow waits for, by the ID of the lock. */
  holdersFor(workflow: string): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, readonly string[]>();
    for (const id of this.#claims.answersOf(workflow)?.waitedFor.keys() ?? []) {
      const lock = this.#locks.get(id);
      const told = lock && isInDatabase(lock.item) ? this.#toldHolders(workflow, id) : undefined;
      found.set(id, told ?? [...lock?.holders.keys() ?? []]);
    }
    return found;
  }

  /** The holders of a lock of a database, as the first claim of a workflow that waits for it was told. */
  #toldHolders(workflow: string, id: string): readonly string[] | undefined {
    for (const { answer, locks, refusal } of this.#claims.byNode(workflow)?.values() ?? []) {
      if (answer.kind === "waiting" && locks.some((item) => idOf(item) === id)) return refusal?.holders.get(id);
    }
    return undefined;
  }

  /** The places of a workflow's claims in the queue of the lock that refused each, by node ID. */
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

  /** Whether a limit is known for a lock. */
  knowsLimit(item: LockItem): boolean {
    return item.source.kind !== "configMap" || this.#locks.get(idOf(item))?.limit !== undefined;
  }

  /** Whether somebody holds a lock, or waits for it. */
  isUsed(item: LockItem): boolean {
    return this.#locks.get(idOf(item)) !== undefined;
  }

  /** Whether there is a lock that nobody may have. */
  get hasPoison(): boolean {
    return this.#locks.hasPoison;
  }

  /** Whether a workflow has a grant that is not known to be written. */
  isUnwritten(workflow: string): boolean {
    for (const nodeId of this.#claims.answersOf(workflow)?.held.keys() ?? []) {
      if (!this.#claims.get(workflow, nodeId)!.isWritten) return true;
    }
    return false;
  }

  /** The locks that somebody waits for. */
  waitedFor(): LockItem[] {
    return [...this.#locks].filter(({ queue }) => queue.size > 0).map(({ item }) => item);
  }

  /** Workflows that wait, and were told of other holders than there are now: so many at most, those that are next first. */
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

  /** The table's own time: it goes on whenever a lock has other holders. */
  get now(): number {
    return this.#locks.now;
  }

  /** The status of a workflow says who held, at a moment of the table, what it waits for. */
  told(workflow: string, moment: number): void {
    if (this.#claims.byNode(workflow)) this.#told.set(workflow, moment);
  }

  /** A workflow that waits is told with the next `settle` how it stands now. */
  tellAnew(workflow: string): void {
    for (const claim of this.#claims.byNode(workflow)?.values() ?? []) {
      if (claim.answer.kind !== "waiting") continue;
      claim.told = this.now;
      this.#untold.add(claim);
    }
  }

  /** The samples of all locks; of one that lies in a database what workflows of this controller hold and wait for. */
  *samples(): Generator<LockSample> {
    for (const { item, holders, queue } of this.#locks) {
      yield { item, held: holders.size, pending: queue.size };
    }
  }

  /** All workflows that hold or wait. */
  workflows(): string[] {
    return this.#claims.workflows();
  }

  /** Puts somebody in the queues of all locks asked for; nothing when that is so already. */
  ask(workflow: string, created: string, ask: LockAsk): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before && before.answer.kind !== "named") return;
    // Whoever wrote the status: it gives a place to those alone who want this very lock.
    const succession = before && isForThese(before, ask.locks) ? before.precedence.succession : undefined;
    const claim = newClaim(workflow, created, this.#orders++, ask, succession);
    this.#claims.put(claim);
    this.#locks.queue(claim);
    this.#untold.add(claim);
    if (isForDatabase(claim)) this.#trials.add(claim);
    if (succession !== undefined) this.#succession.addHeir(claim);
    // Last: a lock that nobody uses for a moment is forgotten with its limit.
    if (before) this.#leave(before);
  }

  /** Answers a request for locks with a definite refusal. */
  refuse(workflow: string, created: string, ask: LockAsk, message: string): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#orders++, ask);
    this.#claims.put(claim);
    this.#tell(claim, { kind: "failed", message });
  }

  /** A hold that is written already counts, whatever the limit is. */
  restore(workflow: string, created: string, ask: LockAsk): void {
    const before = this.#claims.get(workflow, ask.nodeId);
    if (before?.answer.kind === "held") {
      before.isWritten = true;
      return;
    }
    // Rows of a database are the hold's from now on.
    if (before) this.#remove(before);
    const claim = newClaim(workflow, created, this.#orders++, ask);
    this.#claims.put(claim);
    claim.isWritten = true;
    this.#take(claim);
  }

  /** The holds of these nodes are written, and who comes after them. */
  written(workflow: string, nodeIds: Iterable<string>, successors: Successors = new Map()): void {
    for (const nodeId of nodeIds) {
      const claim = this.#claims.get(workflow, nodeId);
      if (claim?.answer.kind !== "held") continue;
      claim.isWritten = true;
      claim.isAhead = false;
    }
    this.#succession.name(workflow, successors);
  }

  /** The status of a workflow may name others as next holders than it did. */
  forgetSuccessors(workflow: string): void {
    this.#succession.forget(workflow);
  }

  /** A node that the status of its workflow names as the next holder of a lock, of those the one at a place, from 0. */
  restoreSuccessor(workflow: string, created: string, ask: LockAsk, place: number): void {
    if (this.#claims.get(workflow, ask.nodeId)) return;
    const claim = newClaim(workflow, created, this.#orders++, ask, place);
    claim.answer = NAMED;
    this.#claims.put(claim);
    this.#locks.queue(claim);
    this.#succession.addHeir(claim);
  }

  /**
   * The nodes of a workflow that are next where others of it hold a lock, as long as nobody else's come between: once a
   * status names them, they may have the lock without being written first. A few for each holder. Those who were named before
   * a restart stay named until they have their lock: whoever was at work before may have given it to them.
   */
  successorsOf(workflow: string): Successors {
    return this.#succession.of(workflow, this.isOpen);
  }

  /** Whether a node has its lock as a successor that the status names, and does not name as a holder yet. */
  isAhead(workflow: string, nodeId: string): boolean {
    return this.#claims.get(workflow, nodeId)?.isAhead === true;
  }

  /** Whether so few successors are named that those who hold a lock may end before more are, of whom there are some. */
  runsShort(workflow: string): boolean {
    return this.#succession.runsShort(workflow, this.isOpen);
  }

  /** Takes back all that is not written of a workflow: grants that never will be, and its places. */
  takeBack(workflow: string): void {
    for (const { nodeId, answer, isWritten } of this.#claims.of(workflow)) {
      if (answer.kind !== "held" || !isWritten) this.release(workflow, nodeId);
    }
  }

  /** Gives back what a claim has, and its places. Answers whether there was one. */
  release(workflow: string, nodeId: string): boolean {
    const claim = this.#claims.get(workflow, nodeId);
    if (!claim) return false;
    this.#remove(claim);
    this.#options.onAnswer?.(workflow, nodeId);
    if (isForDatabase(claim)) this.#options.onLeft?.(claim);
    return true;
  }

  /** Whether all that these nodes hold would go to others of their workflow, which all of it is wanted by. */
  mayHandOver(workflow: string, nodeIds: readonly string[]): boolean {
    return this.#followers(workflow, nodeIds) !== undefined;
  }

  /**
   * Whether all that these nodes hold would go to those whom the status of their workflow names as the next holders, in that
   * order: who rebuilds the table from it gives it to them, too.
   */
  isNamed(workflow: string, nodeIds: readonly string[]): boolean {
    const passing = this.#followers(workflow, nodeIds);
    return passing !== undefined && this.#succession.areNamed(workflow, passing.followers);
  }

  /**
   * Gives all that these nodes hold to others of their workflow that are next: one write of its status says both. Undefined
   * where that is not so: another workflow would get some of it, which must be written to be given back before.
   */
  handOver(workflow: string, nodeIds: readonly string[]): HandOver | undefined {
    return this.#pass(workflow, this.#followers(workflow, nodeIds));
  }

  /**
   * Gives what these nodes hold to those whom the status of their workflow named as next holders before a restart, as far as
   * there are such: they may be at work with it already, and one write has to say both. Undefined where there are none.
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
    // The workflow is over or gone, and has nothing any more.
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

  /** A claim neither holds nor waits for anything any more. */
  #leave(claim: Claim): void {
    this.#succession.removeHeir(claim);
    this.#untold.delete(claim);
    this.#trials.delete(claim);
    this.#locks.leave(claim);
    this.#locks.forgetIdle(claim.locks);
  }

  /** The claims to locks of a database, whether they hold them or wait. */
  *databaseClaims(): Generator<Claim> {
    for (const claim of this.#claims) if (isForDatabase(claim)) yield claim;
  }

  /** Takes a claim's locks from it: it holds them by its workflow's status, but not in the database. */
  lost(claim: Claim, message: string): void {
    if (!this.#claims.has(claim) || claim.answer.kind !== "held") return;
    this.#locks.leave(claim);
    this.#tell(claim, { kind: "lost", message });
  }

  /** Whether some claim waits for a database to be asked. */
  get hasTrials(): boolean {
    return this.#trials.size > 0;
  }

  /** The same for everything of a workflow. */
  releaseAll(workflow: string): void {
    for (const { nodeId } of this.#claims.of(workflow)) this.release(workflow, nodeId);
    this.cleanse(workflow);
  }

  /** The same for all claims of a workflow that wait. */
  releaseWaiting(workflow: string): void {
    for (const claim of this.#claims.of(workflow)) {
      if (claim.answer.kind !== "held") this.release(workflow, claim.nodeId);
    }
  }

  /** Sets how many may hold a lock; those who wait are told how it stands then. */
  setLimit(item: LockItem, limit: number): void {
    const lock = this.#locks.get(idOf(item));
    if (!lock || lock.limit === limit) return;
    const isFirst = lock.limit === undefined;
    lock.limit = limit;
    this.#locks.changed.add(idOf(item));
    if (!isFirst) { for (const claim of lock.queue) this.#untold.add(claim); }
  }

  /** Closes a lock to all as long as the status of a workflow has a record of it that cannot be read. */
  poison(item: LockItem, workflow: string, reason: string): void {
    this.#locks.poison(item, workflow, reason);
  }

  /** The status of a workflow can be read now, or is gone. */
  cleanse(workflow: string): void {
    for (const claim of this.#locks.cleanse(workflow)) this.#untold.add(claim);
  }

  /** Grants what can be granted, and tells those who wait how it stands. */
  settle(): void {
    if (!this.isOpen) return;
    // The set is walked through to what is added meanwhile.
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
   * The claims that have all but the locks of a database, which is to be asked for those: `succeeded` or `failed` is called
   * for each. What they have besides nobody else gets meanwhile.
   */
  takeTrials(): Claim[] {
    if (!this.isOpen) return [];
    const found = [...this.#trials].filter((claim) => this.#locks.mayHaveAll(claim));
    for (const claim of found) this.#trials.delete(claim);
    return found;
  }

  /** The claim that a node has now; undefined when it has none. */
  claimOf(workflow: string, nodeId: string): Claim | undefined {
    return this.#claims.get(workflow, nodeId);
  }

  /** A database gave a claim what is its own. False when the claim is gone, or has lost its place: then it is to be undone. */
  succeeded(claim: Claim): boolean {
    if (!this.#claims.has(claim) || !this.#locks.mayHaveAll(claim)) return false;
    claim.refusal = undefined;
    this.#grant(claim);
    return true;
  }

  /** A database refused; it is asked again when `tryAgain` is called. */
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

  /** The database is to be asked again for all claims that wait for its locks. */
  tryAgain(): void {
    for (const claim of this.databaseClaims()) {
      const { kind } = claim.answer;
      if (kind === "heard" || kind === "waiting" || kind === "trouble") this.#trials.add(claim);
    }
  }

  /** Grants a lock to those at its front, as many as there is room for. */
  #grantFront({ holders, queue, limit }: Lock): void {
    const hasRoom = () => limit !== undefined && holders.size < limit;
    let first = queue.at(0)?.workflow;
    for (let place = 0; hasRoom();) {
      const claim = queue.at(place);
      if (!claim) return;
      // Nodes of the workflow at the front may overtake each other, and nobody else.
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

/** A moment before all others. */
const OUTDATED = -1;

function holdersOf({ holders }: DatabaseRefusal): string {
  return JSON.stringify([...holders]);
}

/** Whether a claim is to these locks and no others. */
function isForThese(claim: Claim, locks: readonly LockItem[]): boolean {
  return claim.locks.length === locks.length && locks.every((item, index) => idOf(item) === idOf(claim.locks[index]!));
}
