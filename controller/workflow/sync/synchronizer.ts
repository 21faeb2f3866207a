/**
 * The connection of the lock table to the cluster: answers requests, counts recorded holds, and wakes workflows that
 * are granted a lock.
 */
import { keyOf, type KubeClient, type KubeObject } from "@tiphys/kube";
import { isInDatabase, type LockItem, type LockRequest, LockTable, type LockTransfer } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "../../loop/clock.ts";
import { type LockChanges, lockFact, type LockFacts } from "@tiphys/engine/locks";
import { DatabaseLocks, type LockDatabaseOptions } from "./database_locks.ts";
import { FirstPasses } from "./first_passes.ts";
import { labelsOf, serveLockMetrics } from "./lock_metrics.ts";
import { holdsOf, isOpen, mayHaveWaited, successorsOf } from "./recorded.ts";
import { type LimitAnswer, type LimitSettings, SemaphoreLimits } from "./semaphore_limits.ts";

export interface SynchronizerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: MetricRegistry;
  /** Returns the settings, which may change. */
  readonly settings: () => LimitSettings;
  /** The database of locks that controllers share; without it, locks in a database are not available. */
  readonly database?: LockDatabaseOptions | undefined;
  /** Called when a fact outside of a workflow's nodes has changed. */
  readonly onFact: (workflow: string, fact: string) => void;
  /** Requests a pass over a workflow. */
  readonly requestPass: (workflow: string) => void;
  /** Whether a workflow exists and is not being deleted. */
  readonly isActive: (workflow: string) => boolean;
  /** Whether a workflow exists. */
  readonly exists: (workflow: string) => boolean;
}

/** The interval in milliseconds between checks that all holders still exist, in case a watch missed a deletion. */
const CHECK_INTERVAL_MILLIS = 60_000;

/**
 * The interval between updates of the holders in statuses of waiting workflows, and the maximum number of workflows in
 * each update.
 */
const HOLDER_UPDATE_MILLIS = 1000;
const MAX_HOLDER_UPDATES = 10;

/** The locks of a controller: holders, queues and limits. */
export class Synchronizer {
  readonly #options: SynchronizerOptions;
  readonly #table: LockTable;
  readonly #limits: SemaphoreLimits;
  readonly #database: DatabaseLocks | undefined;
  /** Workflows with new answers, while these are collected. */
  #answered: Set<string> | undefined;
  #firstPasses: FirstPasses | undefined;
  #stopChecks: (() => void) | undefined;
  #stopHolderUpdates: (() => void) | undefined;
  /** Workflows whose status has to name the current holders of the locks that they wait for. */
  readonly #holderUpdates = new Set<string>();
  /** The times of the table at which the running passes read its holders. */
  readonly #readAt = new Map<string, number>();
  /** The read of stale limits that is in progress. */
  #reading: Promise<void> | undefined;

  constructor(options: SynchronizerOptions) {
    this.#options = options;
    const taken = options.metrics.builtIn("locks_taken_total");
    this.#limits = new SemaphoreLimits({
      ...options,
      onLimit: (item, limit) => this.#table.setLimit(item, limit),
      onChange: () => this.#grantFreeLocks(),
    });
    this.#table = new LockTable({
      onAnswer: (workflow, nodeId) => {
        options.onFact(workflow, lockFact(nodeId));
        this.#answered?.add(workflow);
      },
      onReleased: (claim) => this.#database?.removeClaim(claim),
      onGranted: (item) => taken.add(labelsOf(item)),
      onIdle: (item) => this.#limits.forget(item),
    });
    this.#database = options.database && new DatabaseLocks({
      ...options,
      ...options.database,
      table: this.#table,
      applyChange: (change) => this.#grantFreeLocks(undefined, change),
    });
    serveLockMetrics(options.metrics, this.#table);
  }

  /** Restores the holds in the statuses of all workflows, before the first pass over any of them. */
  restoreHolds(workflows: readonly KubeObject[]): void {
    for (const workflow of workflows) this.observe(workflow);
    // After all holds are known, because a holder cannot be a successor.
    for (const workflow of workflows) this.#readSuccessors(workflow);
    this.#table.isOpen = false;
    this.#database?.begin();
    this.#firstPasses = new FirstPasses(workflows.filter(mayHaveWaited).map(keyOf), this.#options.clock, () => {
      this.#table.isOpen = true;
      this.#grantFreeLocks();
      this.#database?.sweep();
    });
  }

  /** The facts about locks for a pass over a workflow; undefined if it has never requested a lock. */
  factsOf(key: string): LockFacts | undefined {
    const answers = this.#table.answersOf(key);
    if (!answers) return undefined;
    this.#readAt.set(key, this.#table.now);
    const deadlocks = this.#table.deadlocksOf(key);
    const successors = this.#table.successorsOf(key);
    return {
      answers,
      deadlocks,
      holders: this.#table.holdersFor(key),
      successors,
      mustWriteHolders: this.#holderUpdates.has(key),
    };
  }

  /**
   * Answers the lock requests of a workflow, so that its facts have every answer.
   * @throws {KubeError} when a semaphore limit cannot be read.
   */
  async resolveRequests(
    key: string,
    { metadata }: Pick<KubeObject, "metadata">,
    requests: readonly LockRequest[],
  ): Promise<void> {
    const { creationTimestamp = "" } = metadata;
    const items = requests.flatMap(({ locks }) => locks);
    const limits = new Map<string, LimitAnswer>();
    // Repeated, because while a limit is read, the last user of another lock may release that lock, which drops its
    // limit.
    for (
      let unread = this.#unreadLimits(items, limits);
      unread.length > 0;
      unread = this.#unreadLimits(items, limits)
    ) {
      await this.#readLimits(unread, limits);
    }
    // A workflow that was deleted in the meantime would stay in the queues forever.
    if (!this.#options.isActive(key)) return;
    for (const ask of requests) {
      const problem = this.#problemWith(ask, limits);
      if (problem !== undefined) this.#table.refuse(key, creationTimestamp, ask, problem);
      else this.#table.request(key, creationTimestamp, ask);
    }
    this.#setLimits(items, limits);
    this.#grantFreeLocks(key);
    this.#checkRegularly();
    this.#updateHoldersLater();
  }

  /** Whether a workflow has a grant that is not recorded yet: nothing may be created under it. */
  hasUnrecordedGrant(key: string): boolean {
    return this.#table.hasUnrecordedGrant(key);
  }

  /** Whether the locks of these nodes would pass to other nodes of the same workflow only. */
  mayTransfer(key: string, nodeIds: readonly string[]): boolean {
    return this.#table.mayTransfer(key, nodeIds);
  }

  /** Whether all of these locks would pass to the next holders that the status names. */
  wouldGoToNamedSuccessors(key: string, nodeIds: readonly string[]): boolean {
    return this.#table.wouldGoToNamedSuccessors(key, nodeIds);
  }

  /** Whether a node has its lock as a successor that the status names, and is not recorded as a holder yet. */
  isUnrecordedSuccessor(key: string, nodeId: string): boolean {
    return this.#table.isUnrecordedSuccessor(key, nodeId);
  }

  /** Whether more successors have to be named soon. */
  needsSuccessors(key: string): boolean {
    return this.#table.needsMoreSuccessors(key);
  }

  /**
   * Passes the locks of these nodes to other nodes of the workflow. Its facts then have the answers, and one write
   * records both. A caller that does not write it calls `undo`. Undefined if another workflow would get some of the
   * locks.
   */
  transfer(key: string, nodeIds: readonly string[]): LockTransfer | undefined {
    return this.#applyTransfer(key, () => this.#table.transfer(key, nodeIds));
  }

  #applyTransfer(key: string, act: () => LockTransfer | undefined): LockTransfer | undefined {
    let transfer: LockTransfer | undefined;
    this.#grantFreeLocks(key, () => transfer = act());
    if (!transfer) return undefined;
    const { undo, commit } = transfer;
    this.#refreshStale();
    return { undo: () => this.#grantFreeLocks(key, undo), commit };
  }

  /**
   * Passes the locks of these nodes to the next holders that the status named before a restart. Otherwise like
   * `transfer`; undefined if there are no such holders.
   */
  transferToRestored(key: string, nodeIds: readonly string[]): LockTransfer | undefined {
    return this.#applyTransfer(key, () => this.#table.transferToRestored(key, nodeIds));
  }

  /** Records that a decision was written, or that there was nothing to write. */
  recordWrite(key: string, { held, released, writesHolders, stalled, successors }: LockChanges): void {
    this.#table.recordHolds(key, held, successors);
    this.#holderUpdates.delete(key);
    if (writesHolders) this.#table.recordStatusTime(key, this.#readAt.get(key) ?? 0);
    this.#readAt.delete(key);
    for (const nodeId of released) this.#table.release(key, nodeId);
    if (stalled) this.#table.setStalledHolders(key, stalled);
    if (released.length === 0 && !this.#table.needsDeadlockDetection) return;
    this.#grantFreeLocks();
    if (released.length === 0) return;
    this.#refreshStale();
  }

  /**
   * Releases the locks of a workflow whose decision cannot be written. Others may have them until it requests them
   * again.
   */
  revokeGrants(key: string): void {
    this.#table.discardUnrecorded(key);
    this.#grantFreeLocks();
  }

  /** Records the newest state of a workflow, which another client may have written, with the holds that it records. */
  observe(workflow: KubeObject): void {
    const key = keyOf(workflow);
    // Successors that another client changed are valid again once the controller has written them.
    this.#table.forgetSuccessors(key);
    const found = isOpen(workflow) ? holdsOf(workflow) : undefined;
    if (!found) return this.#table.removePoison(key);
    const { log } = this.#options;
    const { creationTimestamp = "" } = workflow.metadata;
    for (const { nodeId, locks } of found.holds) {
      this.#table.restore(key, creationTimestamp, { nodeId, locks, priority: 0 });
    }
    this.#table.removePoison(key);
    for (const { item, reason } of found.unreadable) {
      log.warn("A hold in a status cannot be parsed", { workflow: key, lock: item?.key, reason });
      if (item) this.#table.poison(item, key, reason);
    }
  }

  #readSuccessors(workflow: KubeObject): void {
    const { creationTimestamp = "" } = workflow.metadata;
    for (const { item, nodeId, position } of successorsOf(workflow)) {
      const ask = { nodeId, locks: [item], priority: 0 };
      this.#table.restoreSuccessor(keyOf(workflow), creationTimestamp, ask, position);
    }
  }

  /** Records that a workflow changed or was deleted. */
  recordChange(type: "added" | "modified" | "deleted", workflow: KubeObject, old?: KubeObject): void {
    const key = keyOf(workflow);
    const isAnother = old !== undefined && old.metadata.uid !== workflow.metadata.uid;
    const isOver = type === "deleted" || isAnother || !isOpen(workflow);
    const isEnding = Boolean(workflow.metadata.deletionTimestamp);
    if (isOver || isEnding) this.#firstPasses?.passEnded(key);
    if (isOver) this.#readAt.delete(key);
    if (!this.#table.answersOf(key) && !(isOver && this.#table.hasPoison)) return;
    if (isOver) this.#holderUpdates.delete(key);
    if (isOver) this.#table.releaseAll(key);
    // A workflow that is being deleted creates no pods; pods that run keep their locks.
    else if (isEnding) this.#table.releaseWaiting(key);
    else return;
    this.#grantFreeLocks();
    this.#refreshStale();
  }

  /** Records that a pass over a workflow has ended, successful or not. */
  passEnded(key: string): void {
    this.#firstPasses?.passEnded(key);
  }

  /** The positions of a workflow in the queues of locks, by node ID. */
  queuePositionsOf(key: string): ReturnType<LockTable["queuePositionsOf"]> {
    return this.#table.queuePositionsOf(key);
  }

  /** The messages of deadlocks that block nodes of a workflow whose own message does not report them, by node ID. */
  deadlocksBehind(key: string): ReadonlyMap<string, string> {
    return this.#table.deadlocksBehind(key);
  }

  /** Stops, and waits for requests in progress. */
  async close(): Promise<void> {
    this.#firstPasses?.close();
    this.#stopChecks?.();
    this.#stopHolderUpdates?.();
    this.#limits.close();
    await this.#database?.close();
    await this.#reading;
  }

  /** Grants locks that are free, and enqueues workflows with new answers, except `requester`, whose pass is running. */
  #grantFreeLocks(requester?: string, change = () => {}): void {
    const answered = this.#answered = new Set<string>();
    change();
    this.#table.grantAndAnswer();
    this.#answered = undefined;
    this.#database?.requestLocks();
    for (const key of answered) if (key !== requester) this.#options.requestPass(key);
  }

  /** The locks of a list whose limits have to be read: neither in `read` nor known, or stale. */
  #unreadLimits(items: readonly LockItem[], read: ReadonlyMap<string, LimitAnswer>): LockItem[] {
    const unread = new Map<string, LockItem>();
    for (const item of items) {
      if (item.source.kind !== "configMap" || read.has(item.key)) continue;
      if (!this.#table.knowsLimit(item) || this.#limits.isStale(item)) unread.set(item.key, item);
    }
    return [...unread.values()];
  }

  /** Reads the limits of some locks and adds them to `answers`. */
  async #readLimits(items: readonly LockItem[], answers: Map<string, LimitAnswer>): Promise<void> {
    await Promise.all(items.map(async (item) => answers.set(item.key, await this.#limits.read(item))));
  }

  /** Sets limits that were read, and follows those of locks in use. */
  #setLimits(items: readonly LockItem[], limits: ReadonlyMap<string, LimitAnswer>): void {
    for (const item of items) {
      const answer = limits.get(item.key);
      if (!answer || "problem" in answer || !this.#table.isUsed(item)) continue;
      this.#limits.follow(item, answer.readAt);
      this.#table.setLimit(item, answer.limit);
    }
  }

  #problemWith({ locks }: LockRequest, limits: ReadonlyMap<string, LimitAnswer>): string | undefined {
    for (const item of locks) {
      if (isInDatabase(item)) {
        if (this.#database?.isSetUp) continue;
        return "synchronization database session is not available";
      }
      const answer = limits.get(item.key);
      if (!answer || "limit" in answer || this.#table.knowsLimit(item)) continue;
      return `failed to initialize semaphore ${item.key} with limit: ${answer.problem}`;
    }
    return undefined;
  }

  /** Reads stale limits that are not watched again, after a release. */
  #refreshStale(): void {
    if (this.#reading) return;
    const stale = this.#table.locksWaitedFor().filter((item) => this.#limits.isStale(item));
    if (stale.length === 0) return;
    const limits = new Map<string, LimitAnswer>();
    this.#reading = this.#readLimits(stale, limits).then(() => {
      this.#setLimits(stale, limits);
      this.#grantFreeLocks();
    }).catch((error) => {
      this.#options.log.warn("The limits of semaphores cannot be read; the previous ones remain in effect", {
        error: String(error),
      });
    }).finally(() => this.#reading = undefined);
  }

  /** Updates the holders in the statuses of waiting workflows, a few at a time. */
  #updateHoldersLater(): void {
    if (this.#stopHolderUpdates) return;
    this.#stopHolderUpdates = this.#options.clock.after(HOLDER_UPDATE_MILLIS, () => {
      this.#stopHolderUpdates = undefined;
      const outdated = this.#table.workflowsWithOutdatedHolders(MAX_HOLDER_UPDATES);
      for (const key of outdated) {
        this.#table.answerAgain(key);
        this.#holderUpdates.add(key);
      }
      this.#grantFreeLocks();
      for (const key of outdated) this.#options.requestPass(key);
      if (this.#table.locksWaitedFor().length > 0) this.#updateHoldersLater();
    });
  }

  /** Checks at intervals that all holders and waiting workflows still exist. */
  #checkRegularly(): void {
    if (this.#stopChecks) return;
    this.#stopChecks = this.#options.clock.after(CHECK_INTERVAL_MILLIS, () => {
      this.#stopChecks = undefined;
      const keys = this.#table.workflows();
      const gone = keys.filter((key) => !this.#options.exists(key));
      for (const key of gone) this.#table.releaseAll(key);
      if (gone.length) this.#grantFreeLocks();
      if (gone.length < keys.length) this.#checkRegularly();
    });
  }
}
