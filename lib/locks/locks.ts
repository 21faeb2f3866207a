/** The locks of a table: the holders of each, its queue, its room, and whether a claim may have it. */
import type { Claim, LockAnswer, LockRef } from "./claim.ts";
import { idOf, isInDatabase, type LockItem } from "./lock_item.ts";
import { LockQueue } from "./lock_queue.ts";

/** A lock that somebody holds or waits for. */
export interface Lock {
  readonly item: LockItem;
  /** The most holders that it may have; undefined while that is not known. */
  limit: number | undefined;
  readonly holders: Map<string, Claim>;
  /** The moment at which the holders became others. */
  changedAt: number;
  readonly queue: LockQueue;
  /** The reasons why nobody may have it, by the workflow whose status cannot be read. */
  readonly poison: Map<string, string>;
}

/** Holds the locks that somebody holds or waits for, by their ID. */
export class Locks {
  readonly #locks = new Map<string, Lock>();
  readonly #onIdle: ((lock: LockItem) => void) | undefined;
  #poisons = 0;
  #now = 0;
  /** The IDs of locks whose holders, queue or room changed; who looks at one takes it out. */
  readonly changed = new Set<string>();

  /** `onIdle` is told of a lock that nobody holds or waits for any more. */
  constructor(onIdle: ((lock: LockItem) => void) | undefined) {
    this.#onIdle = onIdle;
  }

  /** The number of changes of holders so far: the table's own time. */
  get now(): number {
    return this.#now;
  }

  /** The lock of an ID; undefined where nobody holds it or waits for it. */
  get(id: string): Lock | undefined {
    return this.#locks.get(id);
  }

  [Symbol.iterator](): Iterator<Lock> & Iterable<Lock> {
    return this.#locks.values();
  }

  /** A claim stands in the queues of all its locks from now on. */
  queue(claim: Claim): void {
    for (const item of claim.locks) {
      this.#lock(item).queue.add(claim);
      this.changed.add(idOf(item));
    }
  }

  /** A claim leaves all queues that it stands in: another one may be at the front then. */
  unqueue(claim: Claim): void {
    for (const item of claim.locks) {
      this.#lock(item).queue.delete(claim);
      this.changed.add(idOf(item));
    }
  }

  /** A claim holds all its locks from now on, whether there is room or not. */
  take(claim: Claim): void {
    for (const item of claim.locks) {
      const lock = this.#lock(item);
      lock.holders.set(claim.key, claim);
      lock.changedAt = ++this.#now;
      this.changed.add(idOf(item));
    }
  }

  /** A claim neither holds nor waits for any of its locks from now on. */
  leave(claim: Claim): void {
    for (const item of claim.locks) {
      const lock = this.#locks.get(idOf(item));
      if (!lock) continue;
      lock.queue.delete(claim);
      if (lock.holders.get(claim.key) === claim && lock.holders.delete(claim.key)) lock.changedAt = ++this.#now;
      this.changed.add(idOf(item));
    }
  }

  /** Something else is known of the locks of a database among those of a claim. */
  heardOfDatabase(claim: Claim): void {
    for (const item of claim.locks.filter(isInDatabase)) {
      const lock = this.#locks.get(idOf(item));
      if (!lock) continue;
      lock.changedAt = ++this.#now;
      this.changed.add(idOf(item));
    }
  }

  /** Forgets those of these locks that nobody holds or waits for any more. */
  forgetIdle(items: readonly LockItem[]): void {
    for (const item of items) {
      const lock = this.#locks.get(idOf(item));
      if (!lock || lock.holders.size || lock.queue.size || lock.poison.size) continue;
      this.#locks.delete(idOf(item));
      this.#onIdle?.(item);
    }
  }

  /** Whether a claim is at the front everywhere, and every lock has room: those of a database count as had. */
  mayHaveAll(claim: Claim): boolean {
    return claim.locks.every((item) => this.#mayHave(claim, item));
  }

  #mayHave(claim: Claim, item: LockItem): boolean {
    if (item.source.kind === "database") return true;
    const { poison, queue, holders, limit } = this.#lock(item);
    return poison.size === 0 && limit !== undefined && holders.size < limit && queue.isAtFront(claim);
  }

  /** The first lock that a claim may not have; undefined where it may have all, those of a database among them. */
  firstRefused(claim: Claim): LockItem | undefined {
    return claim.locks.find((item) => !this.#mayHave(claim, item));
  }

  /** The answer to a claim that waits: the first lock that it may not have, and why. */
  refusalOf(claim: Claim): LockAnswer {
    const item = this.firstRefused(claim) ?? claim.locks[0]!;
    const { limit = 0, holders, poison } = this.#lock(item);
    const [reason] = poison.values();
    const message = reason === undefined
      ? `Waiting for ${item.key} lock. Lock status: ${Math.max(0, limit - holders.size)}/${limit}`
      : `lock ${item.key} is in a poisoned state: ${reason}; manual intervention required`;
    const isFull = reason === undefined && holders.size >= limit;
    return { kind: "waiting", locks: refsOf(claim), refused: item.key, isFull, message };
  }

  /** The moment at which the holders of a claim's locks became others; those of a database are told by the database. */
  changedAt({ locks }: Claim): number {
    const own = locks.filter(({ source }) => source.kind !== "database");
    return own.reduce((latest, item) => Math.max(latest, this.#locks.get(idOf(item))?.changedAt ?? 0), 0);
  }

  /** Whether there is a lock that nobody may have. */
  get hasPoison(): boolean {
    return this.#poisons > 0;
  }

  /** Closes a lock to all as long as the status of a workflow has a record of it that cannot be read. */
  poison(item: LockItem, workflow: string, reason: string): void {
    const { poison } = this.#lock(item);
    this.changed.add(idOf(item));
    if (!poison.has(workflow)) this.#poisons++;
    poison.set(workflow, reason);
  }

  /** The status of a workflow can be read now, or is gone; the claims that waited for its locks are answered. */
  cleanse(workflow: string): Claim[] {
    const waiting: Claim[] = [];
    if (!this.hasPoison) return waiting;
    for (const [id, lock] of this.#locks) {
      if (!lock.poison.delete(workflow)) continue;
      this.#poisons--;
      this.changed.add(id);
      waiting.push(...lock.queue);
      this.forgetIdle([lock.item]);
    }
    return waiting;
  }

  #lock(item: LockItem): Lock {
    const id = idOf(item);
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

/** The locks of a claim as a status names them. */
export function refsOf({ locks }: Claim): LockRef[] {
  return locks.map(({ type, key }) => ({ type, key }));
}
