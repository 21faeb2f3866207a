/**
 * A round: decides which claimants get their locks, given the rows of the locks. All or nothing, in order of
 * precedence, as in the table of one controller: an claimant that is not at the front of every queue waits, even if
 * there is room.
 */
import { type LockItem, parseHolderKey, rowNameOf } from "@tiphys/engine/lock_table";

/** A future holder that requests several locks together. */
export interface LockClaimant {
  /** The key of the holder. */
  readonly key: string;
  /** Only locks of the database. */
  readonly locks: readonly LockItem[];
  readonly priority: number;
  /** The creation time of the workflow, as Kubernetes writes it. */
  readonly created: string;
}

/** A row in the queue of a lock. */
export interface QueuedClaim {
  readonly key: string;
  readonly controller: string;
  readonly priority: number;
  /** The creation time of the workflow, as stored. */
  readonly time: string;
}

/** The rows of one lock. */
export interface LockRows {
  /** Maximum number of holders; undefined if no row has it, and none had it before. */
  readonly limit: number | undefined;
  readonly holders: readonly { readonly key: string; readonly controller: string }[];
  /** The waiting claims of live controllers, including those of this round. */
  readonly queue: readonly QueuedClaim[];
  /** Whether another controller decides about it at the moment. */
  readonly isBusy: boolean;
}

/** The outcome of a round for one claimant. */
export type Outcome =
  | { readonly kind: "granted" }
  | {
    readonly kind: "refused";
    /** The key of the first lock that is not available. */
    readonly refused: string;
    readonly message: string;
    /** The holders of its locks, by the ID of the lock. */
    readonly holders: ReadonlyMap<string, readonly string[]>;
    /** Whether that lock has its maximum number of holders; otherwise another claim precedes this one. */
    readonly isFull: boolean;
  }
  /** The locks will never be granted. */
  | { readonly kind: "failed"; readonly message: string }
  /** Another controller was active: the round is repeated soon. */
  | { readonly kind: "busy" };

/** Decides one round for the claimants of a controller. `rows` are by lock name. */
export function decideRound(
  claimants: readonly LockClaimant[],
  rows: ReadonlyMap<string, LockRows>,
  controller: string,
): Outcome[] {
  const locks = new Map([...rows].map(([name, row]) => [name, new OpenLock(row, controller)]));
  const lockOf = (item: LockItem) => locks.get(rowNameOf(item))!;
  const outcomes = new Map<LockClaimant, Outcome>();
  const open = new Set<LockClaimant>();
  for (const claimant of claimants) {
    const unlimited = claimant.locks.find((item) => lockOf(item).limit === undefined);
    if (unlimited) outcomes.set(claimant, { kind: "failed", message: noLimitMessage(unlimited) });
    else if (claimant.locks.some((item) => lockOf(item).isBusy)) outcomes.set(claimant, { kind: "busy" });
    else open.add(claimant);
  }
  for (let isNews = true; isNews;) {
    isNews = false;
    for (const claimant of open) {
      if (!claimant.locks.every((item) => lockOf(item).canAcquire(claimant.key))) continue;
      for (const item of claimant.locks) lockOf(item).acquire(claimant.key);
      outcomes.set(claimant, { kind: "granted" });
      open.delete(claimant);
      // Another claim is at the front now, at any position among the claimants.
      isNews = true;
    }
  }
  for (const claimant of open) outcomes.set(claimant, waitingOutcome(claimant, lockOf));
  return claimants.map((claimant) => outcomes.get(claimant)!);
}

function noLimitMessage({ key, source }: LockItem): string {
  const name = source.kind === "database" ? source.name : "";
  return `failed to initialize semaphore ${key} with limit: the database has no limit named ${JSON.stringify(name)}`;
}

function waitingOutcome({ key, locks }: LockClaimant, lockOf: (item: LockItem) => OpenLock): Outcome {
  const item = locks.find((lock) => !lockOf(lock).canAcquire(key)) ?? locks[0]!;
  const { held, limit } = lockOf(item);
  const message = `Waiting for ${item.key} lock (${rowNameOf(item)}). Lock status: ${held.length}/${limit}`;
  const holders = new Map(locks.map((lock) => [`${lock.type} ${lock.key}`, [...lockOf(lock).held]]));
  const isFull = limit !== undefined && held.length >= limit;
  return { kind: "refused", refused: item.key, message, holders, isFull };
}

/** The state of a lock during a round. */
class OpenLock {
  readonly limit: number | undefined;
  readonly isBusy: boolean;
  /** The keys of all holders, including those of other controllers. */
  readonly held: string[];
  /** The keys of this controller's holders. */
  readonly #own: Set<string>;
  readonly #queue: QueuedClaim[];
  readonly #controller: string;

  constructor({ limit, isBusy, holders, queue }: LockRows, controller: string) {
    this.limit = limit;
    this.isBusy = isBusy;
    this.held = holders.map(({ key }) => key);
    this.#own = new Set(holders.filter((holder) => holder.controller === controller).map(({ key }) => key));
    this.#queue = [...queue].sort(comparePrecedence);
    this.#controller = controller;
  }

  /** Whether a key may take the lock. A key that already holds it may take it again and counts once. */
  canAcquire(key: string): boolean {
    if (this.#own.has(key)) return true;
    if (this.limit === undefined || this.held.length >= this.limit) return false;
    const [front] = this.#queue;
    if (!front) return true;
    // Nodes of the workflow at the front may overtake each other.
    return front.controller === this.#controller && workflowOf(front.key) === workflowOf(key);
  }

  acquire(key: string): void {
    if (this.#own.has(key)) return;
    this.#own.add(key);
    this.held.push(key);
    const place = this.#queue.findIndex((queuedClaim) =>
      queuedClaim.key === key && queuedClaim.controller === this.#controller
    );
    if (place >= 0) this.#queue.splice(place, 1);
  }
}

function workflowOf(key: string): string {
  return parseHolderKey(key)?.workflow ?? key;
}

/** Orders by priority (highest first), age of the workflow (oldest first), then names, like all controllers. */
function comparePrecedence(a: QueuedClaim, b: QueuedClaim): number {
  const [aNamespace = "", aName = ""] = a.key.split("/");
  const [bNamespace = "", bName = ""] = b.key.split("/");
  return b.priority - a.priority || compare(a.time, b.time) || compare(aNamespace, bNamespace) ||
    compare(aName, bName) || compare(a.controller, b.controller) || compare(a.key, b.key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
