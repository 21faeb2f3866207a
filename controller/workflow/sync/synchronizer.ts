/** The edge of the table of locks: wishes are answered, holds that were written count, and workflows that are granted a
 * lock are woken. */
import { keyOf, type KubeClient, type KubeObject } from "@tiphys/kube";
import { type HandOver, isInDatabase, type LockAsk, type LockItem, LockTable } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import type { MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "../../loop/clock.ts";
import { lockFact, type LockFacts, type LockWishes } from "@tiphys/engine";
import { DatabaseLocks, type LockDatabaseOptions } from "./database_locks.ts";
import { FirstHearing } from "./first_hearing.ts";
import { labelsOf, serveLockMetrics } from "./lock_metrics.ts";
import { holdsOf, isOpen, mayHaveWaited, successorsOf } from "./recorded.ts";
import { type LimitAnswer, type LimitSettings, SemaphoreLimits } from "./semaphore_limits.ts";

export interface SynchronizerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: MetricRegistry;
  /** Read anew whenever it matters. */
  readonly settings: () => LimitSettings;
  /** The database of locks that controllers share; without it nobody has such a lock. */
  readonly database?: LockDatabaseOptions | undefined;
  /** A fact outside of a workflow's nodes has changed. */
  readonly onFact: (workflow: string, fact: string) => void;
  /** Asks for a pass over a workflow. */
  readonly wake: (workflow: string) => void;
  /** Whether a workflow is there, and is not being deleted. */
  readonly mayAsk: (workflow: string) => boolean;
  /** Whether a workflow is there. */
  readonly exists: (workflow: string) => boolean;
}

/**
 * The time in milliseconds between two checks that all holders are still there: the watch tells, this is for what it
 * missed.
 */
const LOOK_MILLIS = 60_000;

/** The time between two updates of workflows that wait, and the most in one: they say who holds their locks now. */
const TELL_MILLIS = 1000;
const TELL_AT_A_TIME = 10;

/** The locks of a controller: who holds them, who waits, and the limits that hold. */
export class Synchronizer {
  readonly #options: SynchronizerOptions;
  readonly #table: LockTable;
  readonly #limits: SemaphoreLimits;
  readonly #database: DatabaseLocks | undefined;
  /** The workflows that were answered anew, while that is being collected. */
  #answered: Set<string> | undefined;
  #hearing: FirstHearing | undefined;
  #stopLooking: (() => void) | undefined;
  #stopTelling: (() => void) | undefined;
  /** Workflows whose status is to say who holds what they wait for. */
  readonly #tells = new Set<string>();
  /** The moments of the table at which the passes that are under way read who holds what. */
  readonly #readAt = new Map<string, number>();
  /** Limits are being read anew. */
  #reading: Promise<void> | undefined;

  constructor(options: SynchronizerOptions) {
    this.#options = options;
    const taken = options.metrics.of("locks_taken_total");
    this.#limits = new SemaphoreLimits({
      ...options,
      onLimit: (item, limit) => this.#table.setLimit(item, limit),
      onChange: () => this.#settle(),
    });
    this.#table = new LockTable({
      onAnswer: (workflow, nodeId) => {
        options.onFact(workflow, lockFact(nodeId));
        this.#answered?.add(workflow);
      },
      onLeft: (claim) => this.#database?.left(claim),
      onTaken: (item) => taken.add(labelsOf(item)),
      onIdle: (item) => this.#limits.forget(item),
    });
    this.#database = options.database && new DatabaseLocks({
      ...options,
      ...options.database,
      table: this.#table,
      settle: (change) => this.#settle(undefined, change),
    });
    serveLockMetrics(options.metrics, this.#table);
  }

  /** Takes the holds of all workflows as they are recorded, before the first pass over any of them. */
  begin(workflows: readonly KubeObject[]): void {
    for (const workflow of workflows) this.read(workflow);
    // When all holds are known: a holder is no successor.
    for (const workflow of workflows) this.#readSuccessors(workflow);
    this.#table.isOpen = false;
    this.#database?.begin();
    this.#hearing = new FirstHearing(workflows.filter(mayHaveWaited).map(keyOf), this.#options.clock, () => {
      this.#table.isOpen = true;
      this.#settle();
      this.#database?.sweep();
    });
  }

  /** The facts about locks for a pass over a workflow; undefined for one that never asked for a lock. */
  factsOf(key: string): LockFacts | undefined {
    const answers = this.#table.answersOf(key);
    if (!answers) return undefined;
    this.#readAt.set(key, this.#table.now);
    const deadlocks = this.#table.deadlocksOf(key);
    const successors = this.#table.successorsOf(key);
    return { answers, deadlocks, holders: this.#table.holdersFor(key), successors, tellsHolders: this.#tells.has(key) };
  }

  /**
   * Answers what a workflow asks for: then its facts have all answers.
   * @throws {KubeError} trouble of the API server with a limit.
   */
  async answer(key: string, { metadata }: Pick<KubeObject, "metadata">, asks: readonly LockAsk[]): Promise<void> {
    const { creationTimestamp = "" } = metadata;
    const items = asks.flatMap(({ locks }) => locks);
    const limits = new Map<string, LimitAnswer>();
    // Again and again: while some are read, the last who used another lock may have let go of it, and of its limit.
    for (let unread = this.#unread(items, limits); unread.length > 0; unread = this.#unread(items, limits)) {
      await this.#readLimits(unread, limits);
    }
    // A workflow that was deleted meanwhile would stand in the queues for ever.
    if (!this.#options.mayAsk(key)) return;
    for (const ask of asks) {
      const problem = this.#problemWith(ask, limits);
      if (problem !== undefined) this.#table.refuse(key, creationTimestamp, ask, problem);
      else this.#table.ask(key, creationTimestamp, ask);
    }
    this.#setLimits(items, limits);
    this.#settle(key);
    this.#look();
    this.#tellLater();
  }

  /** Whether a workflow has a grant that is not known to be written: nothing may be made under it. */
  isUnwritten(key: string): boolean {
    return this.#table.isUnwritten(key);
  }

  /** Whether what these nodes of a workflow hold is wanted by others of the same one, and would go to nobody else. */
  mayHandOver(key: string, nodeIds: readonly string[]): boolean {
    return this.#table.mayHandOver(key, nodeIds);
  }

  /** Whether all of that would go to those whom the status names as the next holders. */
  isNamed(key: string, nodeIds: readonly string[]): boolean {
    return this.#table.isNamed(key, nodeIds);
  }

  /** Whether a node holds its lock as a successor that the status names, and not as a holder yet. */
  isAhead(key: string, nodeId: string): boolean {
    return this.#table.isAhead(key, nodeId);
  }

  /** Whether more successors are to be named soon. */
  runsShort(key: string): boolean {
    return this.#table.runsShort(key);
  }

  /**
   * Gives what these nodes of a workflow hold to others of the same one: then its facts have the answers, and one write says
   * both. Who does not come to write it undoes it. Undefined where another workflow would get some of it.
   */
  handOver(key: string, nodeIds: readonly string[]): HandOver | undefined {
    return this.#handedOver(key, () => this.#table.handOver(key, nodeIds));
  }

  #handedOver(key: string, act: () => HandOver | undefined): HandOver | undefined {
    let handOver: HandOver | undefined;
    this.#settle(key, () => handOver = act());
    if (!handOver) return undefined;
    const { undo, keep } = handOver;
    this.#readAnew();
    return { undo: () => this.#settle(key, undo), keep };
  }

  /**
   * Gives what these nodes hold to those whom the status named as next holders before a restart; the same is true of it.
   * Undefined where there are none.
   */
  inherit(key: string, nodeIds: readonly string[]): HandOver | undefined {
    return this.#handedOver(key, () => this.#table.inherit(key, nodeIds));
  }

  /** A decision was written, or there was nothing to write. */
  written(key: string, { held, over, namesHolders, stalled, successors }: LockWishes): void {
    this.#table.written(key, held, successors);
    this.#tells.delete(key);
    if (namesHolders) this.#table.told(key, this.#readAt.get(key) ?? 0);
    this.#readAt.delete(key);
    for (const nodeId of over) this.#table.release(key, nodeId);
    if (stalled) this.#table.stalled(key, stalled);
    if (over.length === 0 && !this.#table.hasToLook) return;
    this.#settle();
    if (over.length === 0) return;
    this.#readAnew();
  }

  /** Takes back the locks of a workflow whose decision cannot be written: others may have them, until it asks again. */
  refused(key: string): void {
    this.#table.takeBack(key);
    this.#settle();
  }

  /** The newest state of a workflow was read, as somebody else may have written it: holds that it records count. */
  read(workflow: KubeObject): void {
    const key = keyOf(workflow);
    // Whatever else was changed: they count again when we have written them.
    this.#table.forgetSuccessors(key);
    const found = isOpen(workflow) ? holdsOf(workflow) : undefined;
    if (!found) return this.#table.cleanse(key);
    const { log } = this.#options;
    const { creationTimestamp = "" } = workflow.metadata;
    for (const { nodeId, locks } of found.holds) {
      this.#table.restore(key, creationTimestamp, { nodeId, locks, priority: 0 });
    }
    this.#table.cleanse(key);
    for (const { item, reason } of found.unreadable) {
      log.warn("A hold in a status cannot be read", { workflow: key, lock: item?.key, reason });
      if (item) this.#table.poison(item, key, reason);
    }
  }

  #readSuccessors(workflow: KubeObject): void {
    const { creationTimestamp = "" } = workflow.metadata;
    for (const { item, nodeId, place } of successorsOf(workflow)) {
      const ask = { nodeId, locks: [item], priority: 0 };
      this.#table.restoreSuccessor(keyOf(workflow), creationTimestamp, ask, place);
    }
  }

  /** A workflow changed, or is gone. */
  seen(type: "added" | "modified" | "deleted", workflow: KubeObject, old?: KubeObject): void {
    const key = keyOf(workflow);
    const isAnother = old !== undefined && old.metadata.uid !== workflow.metadata.uid;
    const isOver = type === "deleted" || isAnother || !isOpen(workflow);
    const isEnding = Boolean(workflow.metadata.deletionTimestamp);
    if (isOver || isEnding) this.#hearing?.heard(key);
    if (isOver) this.#readAt.delete(key);
    if (!this.#table.answersOf(key) && !(isOver && this.#table.hasPoison)) return;
    if (isOver) this.#tells.delete(key);
    if (isOver) this.#table.releaseAll(key);
    // A workflow that is being deleted makes no new pods; those that run still hold their locks.
    else if (isEnding) this.#table.releaseWaiting(key);
    else return;
    this.#settle();
    this.#readAnew();
  }

  /** A pass over a workflow has ended, however. */
  passEnded(key: string): void {
    this.#hearing?.heard(key);
  }

  /** The places of a workflow in the queues of locks, by node ID. */
  placesOf(key: string): ReturnType<LockTable["placesOf"]> {
    return this.#table.placesOf(key);
  }

  /** The deadlocks behind which nodes of a workflow wait that do not say so, in words, by node ID. */
  deadlocksBehind(key: string): ReadonlyMap<string, string> {
    return this.#table.deadlocksBehind(key);
  }

  /** Ends what is being asked and read. */
  async close(): Promise<void> {
    this.#hearing?.close();
    this.#stopLooking?.();
    this.#stopTelling?.();
    this.#limits.close();
    await this.#database?.close();
    await this.#reading;
  }

  /** Grants what can be granted, and wakes who was answered; `asker` is being answered already. */
  #settle(asker?: string, change = () => {}): void {
    const answered = this.#answered = new Set<string>();
    change();
    this.#table.settle();
    this.#answered = undefined;
    this.#database?.look();
    for (const key of answered) if (key !== asker) this.#options.wake(key);
  }

  /** Those of these locks whose limits are to be read, beside the ones that were: nobody knows them, or their time is over. */
  #unread(items: readonly LockItem[], read: ReadonlyMap<string, LimitAnswer>): LockItem[] {
    const unread = new Map<string, LockItem>();
    for (const item of items) {
      if (item.source.kind !== "configMap" || read.has(item.key)) continue;
      if (!this.#table.knowsLimit(item) || this.#limits.isStale(item)) unread.set(item.key, item);
    }
    return [...unread.values()];
  }

  /** Reads the limits of some locks, and puts the answers to the others. */
  async #readLimits(items: readonly LockItem[], answers: Map<string, LimitAnswer>): Promise<void> {
    await Promise.all(items.map(async (item) => answers.set(item.key, await this.#limits.read(item))));
  }

  /** Sets the limits that were read, and follows them: of those locks that somebody holds or waits for. */
  #setLimits(items: readonly LockItem[], limits: ReadonlyMap<string, LimitAnswer>): void {
    for (const item of items) {
      const answer = limits.get(item.key);
      if (!answer || "problem" in answer || !this.#table.isUsed(item)) continue;
      this.#limits.follow(item, answer.readAt);
      this.#table.setLimit(item, answer.limit);
    }
  }

  #problemWith({ locks }: LockAsk, limits: ReadonlyMap<string, LimitAnswer>): string | undefined {
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

  /** Reads limits again that are not watched and may be stale, when something was given back. */
  #readAnew(): void {
    if (this.#reading) return;
    const stale = this.#table.waitedFor().filter((item) => this.#limits.isStale(item));
    if (stale.length === 0) return;
    const limits = new Map<string, LimitAnswer>();
    this.#reading = this.#readLimits(stale, limits).then(() => {
      this.#setLimits(stale, limits);
      this.#settle();
    }).catch((error) => {
      this.#options.log.warn("The limits of semaphores cannot be read; the last ones stay", { error: String(error) });
    }).finally(() => this.#reading = undefined);
  }

  /** Brings up to date, a few at a time, what the statuses of those who wait say of holders. */
  #tellLater(): void {
    if (this.#stopTelling) return;
    this.#stopTelling = this.#options.clock.after(TELL_MILLIS, () => {
      this.#stopTelling = undefined;
      const outdated = this.#table.outdated(TELL_AT_A_TIME);
      for (const key of outdated) {
        this.#table.tellAnew(key);
        this.#tells.add(key);
      }
      this.#settle();
      for (const key of outdated) this.#options.wake(key);
      if (this.#table.waitedFor().length > 0) this.#tellLater();
    });
  }

  /** Looks now and then whether all are there who hold something or wait. */
  #look(): void {
    if (this.#stopLooking) return;
    this.#stopLooking = this.#options.clock.after(LOOK_MILLIS, () => {
      this.#stopLooking = undefined;
      const keys = this.#table.workflows();
      const gone = keys.filter((key) => !this.#options.exists(key));
      for (const key of gone) this.#table.releaseAll(key);
      if (gone.length) this.#settle();
      if (gone.length < keys.length) this.#look();
    });
  }
}
