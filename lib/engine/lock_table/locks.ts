/** The locks of a table: the holders, queue and limit of each, and whether a claim may have it. */
import type { Claim, LockAnswer, LockRef } from "./claim.ts";
import { isInDatabase, lockIdOf, type LockItem } from "./lock_item.ts";
import { LockQueue } from "./lock_queue.ts";

/** A lock with holders or waiting claims. */
export interface Lock {
  readonly item: LockItem;
  /** Maximum number of holders; undefined while it is unknown. */
  limit: number | undefined;
  readonly holders: Map<string, Claim>;
  /** The time of the table at which the holders last changed. */
  changedAt: number;
  readonly queue: LockQueue;
  /** The reasons why nobody may have it, by the workflow with the unreadable status. */
  readonly poison: Map<string, string>;
}

/** Stores the locks with holders or waiting claims, by ID. */
export class Locks {
  readonly #locks = new Map<string, Lock>();
  readonly #onIdle: ((lock: LockItem) => void) | undefined;
  #poisons = 0;
  #now = 0;
  /** The IDs of locks whose holders, queue or limit changed. The reader removes them. */
  readonly changed = new Set<string>();

  /** @param onIdle is called for a lock without holders and waiting claims. */
  constructor(onIdle: ((lock: LockItem) => void) | undefined) {
    this.#onIdle = onIdle;
  }

  /** The number of changes of holders so far, which is the time of the table. */
  get now(): number {
    return this.#now;
  }

  /** Returns the lock with an ID; undefined when it has neither holders nor waiting claims. */
  get(id: string): Lock | undefined {
    return this.#locks.get(id);
  }

  [Symbol.iterator](): Iterator<Lock> & Iterable<Lock> {
    return this.#locks.values();
  }

  /** Adds a claim to the queues of all its locks. */
  addToQueues(claim: Claim): void {
    for (const item of claim.locks) {
      this.#getOrCreate(item).queue.add(claim);
      this.changed.add(lockIdOf(item));
    }
  }

  /** Removes a claim from all its queues, so that another one may be at the front. */
  removeFromQueues(claim: Claim): void {
    for (const item of claim.locks) {
      this.#getOrCreate(item).queue.delete(claim);
      this.changed.add(lockIdOf(item));
    }
  }

  /** Makes a claim the holder of all its locks, even beyond the limit. */
  addHolder(claim: Claim): void {
    for (const item of claim.locks) {
      const lock = this.#getOrCreate(item);
      lock.holders.set(claim.key, claim);
      lock.changedAt = ++this.#now;
      this.changed.add(lockIdOf(item));
    }
  }

  /** Removes a claim from the holders and queues of all its locks. */
  removeClaim(claim: Claim): void {
    for (const item of claim.locks) {
      const lock = this.#locks.get(lockIdOf(item));
      if (!lock) continue;
      lock.queue.delete(claim);
      if (lock.holders.get(claim.key) === claim && lock.holders.delete(claim.key)) lock.changedAt = ++this.#now;
      this.changed.add(lockIdOf(item));
    }
  }

  /** Marks a claim's locks of a database as changed, because the database reported something new. */
  markDatabaseLocksChanged(claim: Claim): void {
    for (const item of claim.locks.filter(isInDatabase)) {
      const lock = this.#locks.get(lockIdOf(item));
      if (!lock) continue;
      lock.changedAt = ++this.#now;
      this.changed.add(lockIdOf(item));
    }
  }

  /** Removes those of these locks that have neither holders nor waiting claims. */
  removeIdle(items: readonly LockItem[]): void {
    for (const item of items) {
      const lock = this.#locks.get(lockIdOf(item));
      if (!lock || lock.holders.size || lock.queue.size || lock.poison.size) continue;
      this.#locks.delete(lockIdOf(item));
      this.#onIdle?.(item);
    }
  }

  /** Whether a claim is at the front of all queues and every lock has room. Locks of a database count as available. */
  canGrant(claim: Claim): boolean {
    return claim.locks.every((item) => this.#canGrantLock(claim, item));
  }

  #canGrantLock(claim: Claim, item: LockItem): boolean {
    if (item.source.kind === "database") return true;
    const { poison, queue, holders, limit } = this.#getOrCreate(item);
    return poison.size === 0 && limit !== undefined && holders.size < limit && queue.isAtFront(claim);
  }

  /**
   * Returns the first lock that a claim may not have; undefined when it may have all. Locks of a database count as
   * available.
   */
  firstRefused(claim: Claim): LockItem | undefined {
    return claim.locks.find((item) => !this.#canGrantLock(claim, item));
  }

  /** Returns the answer to a waiting claim: the first lock that it may not have, and the reason. */
  refusalOf(claim: Claim): LockAnswer {
    const item = this.firstRefused(claim) ?? claim.locks[0]!;
    const { limit = 0, holders, poison } = this.#getOrCreate(item);
    const [reason] = poison.values();
    const message = reason === undefined
      ? `Waiting for ${item.key} lock. Lock status: ${Math.max(0, limit - holders.size)}/${limit}`
      : `lock ${item.key} is in a poisoned state: ${reason}; manual intervention required`;
    const isFull = reason === undefined && holders.size >= limit;
    return { kind: "waiting", locks: lockRefs(claim), refused: item.key, isFull, message };
  }

  /** Returns the time at which the holders of a claim's locks last changed, without locks of a database. */
  changedAt({ locks }: Claim): number {
    const own = locks.filter(({ source }) => source.kind !== "database");
    return own.reduce((latest, item) => Math.max(latest, this.#locks.get(lockIdOf(item))?.changedAt ?? 0), 0);
  }

  /** Whether any lock is closed because of an unreadable record. */
  get hasPoison(): boolean {
    return this.#poisons > 0;
  }

  /** Closes a lock as long as the status of a workflow has an unreadable record of it. */
  poison(item: LockItem, workflow: string, reason: string): void {
    const { poison } = this.#getOrCreate(item);
    this.changed.add(lockIdOf(item));
    if (!poison.has(workflow)) this.#poisons++;
    poison.set(workflow, reason);
  }

  /**
   * Reopens locks that were closed because of a workflow. Returns the waiting claims of those locks, which must be
   * answered.
   */
  removePoison(workflow: string): Claim[] {
    const waiting: Claim[] = [];
    if (!this.hasPoison) return waiting;
    for (const [id, lock] of this.#locks) {
      if (!lock.poison.delete(workflow)) continue;
      this.#poisons--;
      this.changed.add(id);
      waiting.push(...lock.queue);
      this.removeIdle([lock.item]);
    }
    return waiting;
  }

  #getOrCreate(item: LockItem): Lock {
    const id = lockIdOf(item);
    let lock = this.#locks.get(id);
    if (!lock) {
      const limit = item.source.kind === "one" ? 1 : undefined;
      this.#locks.set(
        id,
        lock = { item, limit, holders: new Map(), changedAt: 0, queue: new LockQueue(), poison: new Map() },
      );
    }
    return lock;
  }
}

/** Returns the locks of a claim as a status identifies them. */
export function lockRefs({ locks }: Claim): LockRef[] {
  return locks.map(({ type, key }) => ({ type, key }));
}
